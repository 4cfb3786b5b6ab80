import VaultDatabase
import VaultFormat

/// A group in the middle of a commit: its verified pages with the changes made so far.
///
/// Tags are computed once, at the end, from these pages and never from the file, so that an edit made behind
/// our back cannot be signed.
final class WorkingGroup {
  let group: OpenGroup
  let base: GroupSnapshot
  /// The version of everything that this commit writes: the counter after it.
  let version: UInt64
  let session: Session
  let acceptedWriters: Writers?
  private(set) var pages: [UInt16: ClaimPage] = [:]
  private(set) var changed: Set<UInt16> = []

  /// Starts at a verified state.
  ///
  /// Where this commit accepts an older file, `accepted` is what the machine remembered instead.
  init(
    _ group: OpenGroup,
    at base: GroupSnapshot,
    session: Session,
    accepting accepted: VerifiedPosition? = nil
  ) throws(VaultError) {
    let counter = max(base.counter, accepted?.position.counter ?? 0)
    guard counter < Limits.counters.upperBound else {
      throw VaultError(
        .limitExceeded,
        "the group has reached its last commit; export it to a new vault"
      )
    }
    guard !base.state.isReadOnly else { throw VaultError(.unsupportedVersion) }
    self.group = group
    self.base = base
    version = counter + 1
    self.session = session
    acceptedWriters = accepted?.writers
  }

  var isChanged: Bool { !changed.isEmpty }

  /// The claim of a lookup, tombstones included.
  func claim(_ lookup: Digest) throws(VaultError) -> Claim? {
    let page = try page(ClaimPage.number(of: lookup))
    guard let index = page.index(of: lookup) else { return nil }
    do { return try page.claim(at: index) } catch { throw VaultError(translating: error) }
  }

  /// Writes a claim, over the former one of the same lookup.
  func set(_ claim: Claim) throws(VaultError) {
    let number = ClaimPage.number(of: claim.lookup)
    var page = try page(number)
    do {
      // Claims in a range without a page are nobody's; they must not come in with the new page.
      if page.count == 0, !changed.contains(number) { try deleteClaims(of: number) }
      // Taken out first, so that the page has one owner and is changed in place.
      pages[number] = nil
      try page.set(claim)
      try session.connection.putClaim(group: groupID.bytes.span, row: claim.bytes.span)
    } catch {
      throw VaultError(translating: error)
    }
    pages[number] = page
    changed.insert(number)
  }

  /// Removes the claim of a lookup.
  func remove(_ lookup: Digest) throws(VaultError) {
    let number = ClaimPage.number(of: lookup)
    var page = try page(number)
    guard page.remove(lookup) else { return }
    do {
      try session.connection.deleteClaim(group: groupID.bytes.span, lookup: lookup.bytes.span)
    } catch {
      throw VaultError(translating: error)
    }
    pages[number] = page
    changed.insert(number)
  }

  /// Calls `body` with every claim, as the commit would leave them.
  func forEachClaim(_ body: (Claim) throws(VaultError) -> Void) throws(VaultError) {
    var numbers = Set(pages.keys)
    try session.forEachPage(in: base, of: group) { page throws(VaultError) in
      numbers.insert(page.number)
    }
    for number in numbers.sorted() {
      let page = try page(number)
      for index in 0..<page.count {
        let claim: Claim
        do { claim = try page.claim(at: index) } catch { throw VaultError(translating: error) }
        try body(claim)
      }
    }
  }

  var groupID: Identifier { group.scope.groupID }

  private func page(_ number: UInt16) throws(VaultError) -> ClaimPage {
    if let known = pages[number] { return known }
    do {
      let page =
        try session.page(number, in: base, of: group) ?? ClaimPage(number: number, rows: [])
      pages[number] = page
      return page
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func deleteClaims(of number: UInt16) throws(DatabaseError) {
    let (first, last) = ClaimPage.lookupRange(of: number)
    try session.connection.deleteClaims(
      group: groupID.bytes.span,
      from: first.bytes.span,
      through: last.bytes.span
    )
  }
}
