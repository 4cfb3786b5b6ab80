import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// What is to be stored as one item.
struct NewItem {
  var item: SecretItem
  /// The secret, or `nil` for an item without one.
  var secret: SecretBytes?
}

/// An item as a commit finds it, which a write replaces or moves.
struct StoredItem {
  let claim: Claim
  /// The group that it is in until now.
  let group: OpenGroup
}

/// The changes of one transaction, made inside the write lock.
final class Commit {
  let session: Session
  let open: OpenGroups
  let now: UInt64
  let random: RandomSource
  /// Whether earlier secrets were dropped because a history has no room for them.
  var hasOverfullHistory = false
  /// What removed and renamed items were called, as far as the caller said, for those who follow the changes.
  private(set) var formerNames: [Identifier: ItemIdentity] = [:]
  private var groups: [Identifier: WorkingGroup] = [:]

  init(session: Session, open: OpenGroups, random: RandomSource) {
    self.session = session
    self.open = open
    self.random = random
    now = Timestamp.now.millisecondsSince1970
  }

  /// Notes what an item was called that is taken from its place; what it was called in between, nobody has seen.
  func note(formerName identity: ItemIdentity, of id: Identifier) {
    if formerNames[id] == nil { formerNames[id] = identity }
  }

  var isChanged: Bool { groups.values.contains(where: \.isChanged) }

  /// The group in this commit, at the state that the write transaction sees.
  func working(_ group: OpenGroup) throws(VaultError) -> WorkingGroup {
    if let known = groups[group.scope.groupID] { return known }
    let base = try session.refresh(group, known: group.snapshot)
    let working = try WorkingGroup(group, at: base, session: session)
    groups[group.scope.groupID] = working
    return working
  }

  /// The claim that an identity has now, unless there is none or a tombstone; it must be usable.
  func usableClaim(
    _ lookup: Digest,
    in group: OpenGroup
  ) throws(VaultError) -> Claim? {
    guard let claim = try working(group).claim(lookup), !claim.flags.contains(.tombstone)
    else { return nil }
    guard let accessibility = ClassByte(rawValue: claim.accessibility) else {
      throw VaultError(.tampered)
    }
    try open.requireAccess(accessibility, deviceID: claim.deviceID, in: group)
    return claim
  }

  /// Opens one part of an item that this commit sees.
  func read(_ part: BoxPart, of claim: Claim, in group: OpenGroup) throws(VaultError) -> SecretBytes
  {
    let base = try working(group).base
    let row = claim.bytes
    guard case .done(let bytes) = try session.read(part, row: row.span, at: base, in: group)
    else { throw VaultError(.tampered) }
    return bytes
  }

  /// Reads the item of a claim without its secret.
  func item(of claim: Claim, in group: OpenGroup) throws(VaultError) -> SecretItem {
    let list: SecretBytes = try read(.attributes, of: claim, in: group)
    let row = claim.bytes
    return try list.withBytes { list throws(VaultError) in
      try session.cipher.verifyAttributes(list, row: row.span, in: group)
      return try SecretItem(row: row.span, list: list, group: group.name)
    }
  }

  /// Stores an item: under a new claim, or in place of `old`, whose item id, box and history it keeps.
  ///
  /// Where `old` had another lookup or another group, its claim is gone already.
  func put(
    _ new: NewItem,
    replacing old: StoredItem?,
    lookup: Digest,
    in group: OpenGroup
  ) throws(VaultError) {
    try write(session.cipher.seal(prepare(new, replacing: old, lookup: lookup, in: group)))
  }

  /// Writes the boxes and the claim of a row.
  func write(_ row: SealedRow) throws(VaultError) {
    var claim = row.claim
    do {
      if claim.box > 0 {
        try session.connection.updateBox(
          id: Int64(clamping: claim.box),
          attributes: row.attributes.span,
          secret: row.secret.span,
          history: row.history.span
        )
      } else {
        claim.box = UInt64(
          clamping: try session.connection.insertBox(
            attributes: row.attributes.span,
            secret: row.secret.span,
            history: row.history.span
          )
        )
      }
    } catch {
      throw VaultError(translating: error)
    }
    try working(row.group).set(claim)
  }

  /// Removes an item and its box.
  func remove(_ claim: Claim, in group: OpenGroup) throws(VaultError) {
    try working(group).remove(claim.lookup)
    try removeBox(of: claim)
  }

  /// Removes the box of an item whose claim is gone.
  func removeBox(of claim: Claim) throws(VaultError) {
    do {
      try session.connection.deleteBox(id: Int64(clamping: claim.box))
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Removes every item that exists only as long as there is a passphrase, and returns how many.
  func removeItemsThatNeedPassphrase(in group: OpenGroup) throws(VaultError) -> Int {
    var doomed: [Claim] = []
    try working(group).forEachClaim { claim throws(VaultError) in
      if claim.accessibility == ClassByte.whenPasscodeSetThisDeviceOnly.rawValue {
        doomed.append(claim)
      }
    }
    for claim in doomed { try remove(claim, in: group) }
    return doomed.count
  }

  /// Writes the pages and tags of every changed group.
  func finish() throws(VaultError) -> [(OpenGroup, GroupSnapshot)] {
    var finished: [(OpenGroup, GroupSnapshot)] = []
    for working in groups.values where working.isChanged {
      finished.append((working.group, try working.finish()))
    }
    return finished
  }
}

extension SecretItem {
  /// Makes an item from a verified row and its opened attributes, which have been verified.
  init(row: Span<UInt8>, list: Span<UInt8>, group: String?) throws(VaultError) {
    guard let claim = try? Claim(parsing: row),
      let accessibility = ClassByte(rawValue: claim.accessibility)
    else { throw VaultError(.tampered) }
    self.init(
      claim: claim,
      accessibility: Accessibility(accessibility),
      attributes: ItemAttributes(validated: list),
      group: group
    )
  }
}
