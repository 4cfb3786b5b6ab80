import VaultCrypto
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
  private let session: Session
  private let acceptedWriters: Writers?
  private var pages: [UInt16: ClaimPage] = [:]
  private var changed: Set<UInt16> = []

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

  private var groupID: Identifier { group.scope.groupID }

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

  /// Writes pages, branches and the group's row, and returns the state that the commit makes.
  ///
  /// A commit that accepts a restored file says so in the state.
  func finish(isRestore: Bool = false) throws(VaultError) -> GroupSnapshot {
    do {
      let manifest = try session.contexts(of: group).manifest
      let table = try finishBranches(try finishPages(manifest), manifest)
      var state = base.state
      if isRestore { state.restored = version }
      if let acceptedWriters { state.writers = state.writers.merged(with: acceptedWriters) }
      try state.writers.record(holder: group.anchor?.holder ?? .zero, counter: version)
      let stateBytes = state.bytes
      let tableBytes = table.bytes
      let name = base.name
      let tag = try group.scope.manifestTag(
        counter: version,
        items: table.totalItems,
        nameSalt: name.span.extracting(GroupSnapshot.nameSaltRange),
        state: stateBytes.span,
        branches: tableBytes.span,
        using: manifest
      )
      try session.connection.updateGroupState(
        row: group.row,
        counter: Int64(clamping: version),
        tag: tag.bytes.span,
        state: stateBytes.span,
        branches: tableBytes.span
      )
      return GroupSnapshot(
        epoch: base.epoch,
        counter: version,
        tag: tag,
        name: base.name,
        state: state,
        branches: table
      )
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Writes the changed pages and returns the changed branches.
  private func finishPages(_ manifest: Expander) throws -> [UInt16: Branch] {
    var branches: [UInt16: Branch] = [:]
    for number in changed {
      guard let page = pages[number] else { continue }
      let branchNumber = ClaimPage.branch(of: number)
      var branch =
        try branches.removeValue(forKey: branchNumber)
        ?? session.branch(branchNumber, in: base, of: group)
        ?? Branch(number: branchNumber, pages: [])
      if page.count == 0 {
        _ = branch.remove(page: number)
        try session.connection.deletePage(group: groupID.bytes.span, number: Int(number))
      } else {
        let tag = try group.scope.pageTag(page, using: manifest)
        session.cache.insert(page, tag)
        let items = UInt32(clamping: page.count)
        try branch.set(PageEntry(number: number, items: items, tag: tag))
        try session.connection.putPage(
          group: groupID.bytes.span,
          PageRow(number: Int(number), items: page.count, tag: tag.bytes)
        )
      }
      branches[branchNumber] = branch
    }
    return branches
  }

  private func finishBranches(
    _ branches: [UInt16: Branch],
    _ manifest: Expander
  ) throws -> BranchTable {
    var table = base.branches
    for branch in branches.values { _ = table.remove(branch: branch.number) }
    for branch in branches.values where !branch.pages.isEmpty {
      let tag = try group.scope.branchTag(branch, using: manifest)
      session.cache.insert(branch, tag)
      try table.set(BranchEntry(number: branch.number, items: branch.items, tag: tag))
    }
    return table
  }
}
