import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// What is to be stored as one item.
struct NewItem {
  var item: SecretItem
  /// The secret, or `nil` for an item without one.
  var secret: SecretBytes?
  /// The sealed-in history as it is, or `nil` where there is none.
  var history: SecretBytes?
}

/// The changes of one transaction, made inside the write lock.
final class Commit {
  let session: Session
  let open: OpenGroups
  var now: UInt64
  private let random: RandomSource
  private var groups: [Identifier: WorkingGroup] = [:]

  init(session: Session, open: OpenGroups, random: RandomSource) {
    self.session = session
    self.open = open
    self.random = random
    now = Timestamp.now.millisecondsSince1970
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

  /// Stores an item: under a new claim, or in place of `old`, whose item id and box it keeps.
  ///
  /// Where `old` had another lookup or another group, its claim is gone already.
  func put(
    _ new: NewItem,
    replacing old: Claim?,
    lookup: Digest,
    in group: OpenGroup
  ) throws(VaultError) {
    let working = try working(group)
    // A tombstone at the new place gives its item id and box.
    var former = old
    if former == nil { former = try working.claim(lookup) }
    let accessibility = new.item.accessibility.classByte
    try requireWritable(new.item, accessibility, in: group)
    var attributes = new.item.attributes
    let moment = ItemAttributes.bytes(now, count: 8)
    attributes.set([
      (.created, attributes.bytes(.created) ?? moment),
      (.modified, moment),
      (.noValue, new.secret == nil ? [1] : nil),
    ])
    do {
      var claim = Claim(
        itemID: try former?.itemID ?? Identifier(random.bytes()),
        kind: new.item.kindByte,
        accessibility: accessibility.rawValue,
        flags: Self.flags(of: new.item, attributes),
        deviceID: accessibility.isDeviceBound ? open.deviceID ?? .zero : .zero,
        version: working.version,
        lookup: lookup,
        rev: .zero,
        box: former?.box ?? 0
      )
      try writeBoxes(of: &claim, attributes, new, in: group)
      try working.set(claim)
    } catch {
      throw VaultError(translating: error)
    }
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

  /// Opens the history of an item, or returns `nil` where it has none.
  func history(of claim: Claim, in group: OpenGroup) throws(VaultError) -> SecretBytes? {
    try session.hasHistory(claim, in: group) ? read(.history, of: claim, in: group) : nil
  }

  private func requireWritable(
    _ item: SecretItem,
    _ accessibility: ClassByte,
    in group: OpenGroup
  ) throws(VaultError) {
    try open.requireAccess(accessibility, in: group)
    if accessibility.isDeviceBound, item.isMarkedSynchronizable {
      throw VaultError(
        .accessibilityRefused,
        "a synchronizable item cannot be bound to this device; choose another class"
      )
    }
    if accessibility == .whenPasscodeSetThisDeviceOnly, try !hasPassphrase(group) {
      throw VaultError(
        .accessibilityRefused,
        "the vault has no passphrase, which this class needs; add one, or choose another class"
      )
    }
  }

  /// Whether a passphrase opens the vault or the group.
  ///
  /// The slots are as the file says: after the unlock no one here can authenticate them.
  private func hasPassphrase(_ group: OpenGroup) throws(VaultError) -> Bool {
    let rows: [SlotRow]
    do { rows = try session.connection.slots() } catch { throw VaultError(translating: error) }
    return try SlotRecord.anyTakesPassphrase(in: rows, opening: group.scope.groupID)
  }

  private func writeBoxes(
    of claim: inout Claim,
    _ attributes: ItemAttributes,
    _ new: NewItem,
    in group: OpenGroup
  ) throws {
    guard new.secret?.count ?? 0 <= Limits.secretByteCount else {
      throw VaultError(.limitExceeded, "a secret has at most 1048576 bytes; store less")
    }
    try attributes.withBytes { list throws(any Error) in
      try Self.requireStorable(list, kind: claim.kind)
      claim.rev = try rev(of: claim, list, new, in: group)
      let row = claim.bytes
      let sealedAttributes = try session.cipher.seal(list, .attributes, row: row.span, in: group)
      let sealedSecret = try seal(new.secret, .secret, row, in: group)
      let sealedHistory = try new.history.map { try seal($0, .history, row, in: group) } ?? []
      if claim.box > 0 {
        try session.connection.updateBox(
          id: Int64(clamping: claim.box),
          attributes: sealedAttributes.span,
          secret: sealedSecret.span,
          history: sealedHistory.span
        )
      } else {
        claim.box = UInt64(
          clamping: try session.connection.insertBox(
            attributes: sealedAttributes.span,
            secret: sealedSecret.span,
            history: sealedHistory.span
          )
        )
      }
    }
  }

  /// Seals a secret; an item without one has the box of the empty secret.
  private func seal(
    _ secret: SecretBytes?,
    _ part: BoxPart,
    _ row: [UInt8],
    in group: OpenGroup
  ) throws(VaultError) -> [UInt8] {
    guard let secret else { return try session.cipher.seal(Span(), part, row: row.span, in: group) }
    return try secret.withBytes { bytes throws(VaultError) in
      try session.cipher.seal(bytes, part, row: row.span, in: group)
    }
  }

  /// The fresh value that names this version of the row and salts its boxes.
  ///
  /// What is sealed goes into it beside 32 random bytes: even if the generator repeats, an equal value
  /// means an equal message, so no key meets two messages under one nonce.
  private func rev(
    of claim: Claim,
    _ list: Span<UInt8>,
    _ new: NewItem,
    in group: OpenGroup
  ) throws(CryptoError) -> Salt {
    let fresh: InlineArray<32, UInt8> = try random.bytes()
    let row = claim.bytes
    let long = try session.contexts(of: group).manifest.expand(.rev) { hmac throws(CryptoError) in
      try hmac.update(fresh.span)
      try hmac.update(row.span.extracting(Claim.boundRange))
      try hmac.update(UInt32(clamping: list.count))
      try hmac.update(list)
      for secret in [new.secret, new.history] {
        try hmac.update(UInt32(clamping: secret?.count ?? 0))
        try secret?.withBytes { bytes throws(CryptoError) in try hmac.update(bytes) }
      }
    }
    return Salt(InlineArray { long[$0] })
  }

  private static func flags(of item: SecretItem, _ attributes: ItemAttributes) -> ClaimFlags {
    var flags: ClaimFlags = item.isMarkedSynchronizable ? .synchronizable : []
    if attributes.integer(.expires) != nil || attributes.integer(.revalidate) == 1 {
      flags.insert(.guarded)
    }
    return flags
  }

  private static func requireStorable(_ list: Span<UInt8>, kind: UInt8) throws {
    guard list.count <= Limits.attributesByteCount else {
      throw VaultError(
        .limitExceeded,
        "the attributes have at most 81916 bytes together; store less"
      )
    }
    try AttributeCoding.forEach(in: list) { _, range throws(FormatError) in
      guard range.count <= Limits.attributeValueByteCount else { throw .limitExceeded }
    }
    do { try AttributeCoding.validate(list, kind: kind) } catch {
      throw VaultError(
        .invalidArgument,
        "an attribute does not have the form it must have; correct it"
      )
    }
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
