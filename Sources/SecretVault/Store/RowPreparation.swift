import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// A row that is to be written: its claim, without the value that names its version, and what its boxes will hold.
struct PreparedRow: Sendable {
  let claim: Claim
  /// What is random in the value that will name the version.
  let random: InlineArray<32, UInt8>
  let attributes: ItemAttributes
  /// The secret, or `nil` for an item without one.
  let secret: SecretBytes?
  /// The earlier secrets, or `nil` where there are none.
  let history: SecretBytes?
  let group: OpenGroup
}

extension Commit {
  /// Completes an item and makes its claim; nothing is sealed or written yet.
  func prepare(
    _ new: NewItem,
    replacing old: StoredItem?,
    lookup: Digest,
    in group: OpenGroup
  ) throws(VaultError) -> PreparedRow {
    let working = try working(group)
    // A tombstone at the new place gives its item id and box.
    var former = old?.claim
    if former == nil { former = try working.claim(lookup) }
    let accessibility = new.item.accessibility.classByte
    try requireWritable(new, accessibility, in: group)
    let unsaid = try unsaid(by: new, following: old)
    let history = try history(of: new, following: old, unsaid)
    let attributes = attributes(of: new, following: old, unsaid, history)
    do {
      let claim = Claim(
        itemID: try former?.itemID ?? Identifier(random.bytes()),
        kind: new.item.kindByte,
        accessibility: accessibility.rawValue,
        flags: Self.flags(of: new.item),
        deviceID: accessibility.isDeviceBound ? open.deviceID ?? .zero : .zero,
        version: working.version,
        lookup: lookup,
        rev: .zero,
        box: former?.box ?? 0
      )
      try attributes.withBytes { list throws(any Error) in
        try Self.requireStorable(list, kind: claim.kind)
      }
      return PreparedRow(
        claim: claim,
        random: try random.bytes(),
        attributes: attributes,
        secret: new.secret,
        history: history.bytes,
        group: group
      )
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// The attributes as they are sealed: what the caller gave, and what the vault notes itself.
  private func attributes(
    of new: NewItem,
    following old: StoredItem?,
    _ unsaid: SecretItem?,
    _ history: KeptHistory
  ) -> ItemAttributes {
    var attributes = new.item.attributes
    let former = old == nil ? nil : unsaid ?? new.item
    let moment = ItemAttributes.bytes(modification(following: former), count: 8)
    let count = UInt64(clamping: history.count)
    attributes.set([
      (.created, attributes.bytes(.created) ?? former?.attributes.bytes(.created) ?? moment),
      (.modified, moment),
      (.noValue, new.secret == nil ? [1] : nil),
      (
        .versionsKept,
        history.limit > 0 ? ItemAttributes.bytes(UInt64(history.limit), count: 1) : nil
      ),
      (.historyCount, count > 0 ? ItemAttributes.bytes(count, count: 4) : nil),
    ])
    return attributes
  }

  /// When an item is changed: now, and after its last change whatever the clock says.
  private func modification(following former: SecretItem?) -> UInt64 {
    guard let last = former?.modified?.millisecondsSince1970, last < .max else { return now }
    return max(now, last + 1)
  }

  private func requireWritable(
    _ new: NewItem,
    _ accessibility: ClassByte,
    in group: OpenGroup
  ) throws(VaultError) {
    try open.requireAccess(accessibility, in: group)
    guard new.secret?.count ?? 0 <= Limits.secretByteCount else {
      throw VaultError(.limitExceeded, "a secret has at most 1048576 bytes; store less")
    }
    if accessibility.isDeviceBound, new.item.isMarkedSynchronizable {
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

  private static func flags(of item: SecretItem) -> ClaimFlags {
    var flags: ClaimFlags = item.isMarkedSynchronizable ? .synchronizable : []
    if item.expires != nil || item.mustRevalidate { flags.insert(.guarded) }
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
