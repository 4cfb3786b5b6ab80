import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Reads the secret of an item, with `allowingExpired` also one that has expired.
  ///
  /// - Returns: `nil` where there is no such item, or it has no secret; never for another reason.
  /// - Throws: ``VaultError``: `locked` where the item's class is locked, `notOnThisDevice`,
  ///   `expired`, `needsRevalidation`, `tampered`.
  public func secret(
    for identity: ItemIdentity,
    allowingExpired: Bool
  ) throws(VaultError) -> SecretBytes? {
    try perform { open, session throws(VaultError) in
      let group = try open.group(named: identity.group, using: session)
      let lookup = try session.lookup(of: identity, in: group)
      let found = try session.withRow(lookup, in: group) {
        row,
        snapshot throws(VaultError) -> RowReading<SecretBytes?> in
        let flags = try session.requireAccess(to: row, open: open, in: group)
        if flags.contains(.guarded) {
          return try session.readGuarded(row, at: snapshot, in: group, allowingExpired)
        }
        switch try session.read(.secret, row: row, at: snapshot, in: group) {
        // Only an item without a secret has an empty box, and its attributes say which it is.
        case .done(let secret) where secret.isEmpty:
          return try session.readGuarded(row, at: snapshot, in: group, allowingExpired)
        case .done(let secret): return .done(secret)
        case .stale: return .stale
        }
      }
      return found ?? nil
    }
  }

  /// Reads an item without its secret.
  ///
  /// - Returns: `nil` where there is no such item; never for another reason.
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `tampered`.
  public func item(for identity: ItemIdentity) throws(VaultError) -> SecretItem? {
    try perform { open, session throws(VaultError) in
      let group = try open.group(named: identity.group, using: session)
      let lookup = try session.lookup(of: identity, in: group)
      return try session.withRow(lookup, in: group) {
        row,
        snapshot throws(VaultError) -> RowReading<SecretItem> in
        _ = try session.requireAccess(to: row, open: open, in: group)
        return try session.readItem(row, at: snapshot, in: group, askedForBy: identity.group)
      }
    }
  }

  /// Reads an item and its secret at one state, to be kept elsewhere: also where the secret has expired or
  /// must be written again, and is given out for use no longer.
  ///
  /// - Returns: `nil` where there is no such item.
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `tampered`.
  package func contents(
    of identity: ItemIdentity
  ) throws(VaultError) -> (item: SecretItem, secret: SecretBytes?)? {
    try newItem(for: identity, isForUse: false).map { ($0.item, $0.secret) }
  }

  /// Finds the group and the lookup that an identity stands for.
  func place(of identity: ItemIdentity) throws(VaultError) -> ItemPlace {
    try perform { open, session throws(VaultError) in
      let group = try open.group(named: identity.group, using: session)
      return ItemPlace(
        groupID: group.scope.groupID,
        lookup: try session.lookup(of: identity, in: group)
      )
    }
  }

  /// Reads an item and its secret at one state, for a change that depends on both.
  ///
  /// What has expired or needs revalidation can be changed, but is refused where the secret is for use.
  func newItem(for identity: ItemIdentity, isForUse: Bool) throws(VaultError) -> NewItem? {
    try perform { open, session throws(VaultError) in
      let group = try open.group(named: identity.group, using: session)
      let lookup = try session.lookup(of: identity, in: group)
      return try session.withRow(lookup, in: group, startsInTransaction: true) {
        row,
        snapshot throws(VaultError) -> RowReading<NewItem> in
        _ = try session.requireAccess(to: row, open: open, in: group)
        guard
          case .done(let item) = try session.readItem(
            row,
            at: snapshot,
            in: group,
            askedForBy: identity.group
          ),
          case .done(let secret) = try session.read(.secret, row: row, at: snapshot, in: group)
        else { return .stale }
        if isForUse { try item.requireUsable(restored: snapshot.state.restored) }
        return .done(NewItem(item: item, secret: item.hasNoSecret ? nil : secret))
      }
    }
  }
}

extension Session {
  func lookup(of identity: ItemIdentity, in group: OpenGroup) throws(VaultError) -> Digest {
    do { return try lookup(identity.input, in: group) } catch {
      throw VaultError(translating: error)
    }
  }

  /// Throws unless the item of a verified row can be used now, and returns its flags.
  func requireAccess(
    to row: Span<UInt8>,
    open: OpenGroups,
    in group: OpenGroup
  ) throws(VaultError) -> ClaimFlags {
    do {
      guard let accessibility = ClassByte(rawValue: row[Claim.accessibilityOffset])
      else { throw VaultError(.tampered) }
      let device: Identifier = try row.fixedBytes(at: Claim.deviceRange.lowerBound)
      try open.requireAccess(accessibility, deviceID: device, in: group)
      return ClaimFlags(rawValue: row[Claim.flagsOffset])
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Opens and verifies the attributes of a row.
  ///
  /// While the group's name is locked the item has the name that the caller knows, or it would seem to be of the
  /// default group where it is stored again.
  func readItem(
    _ row: Span<UInt8>,
    at snapshot: GroupSnapshot,
    in group: OpenGroup,
    askedForBy name: String? = nil
  ) throws(VaultError) -> RowReading<SecretItem> {
    switch try read(.attributes, row: row, at: snapshot, in: group) {
    case .stale: return .stale
    case .done(let list):
      return try list.withBytes { list throws(VaultError) in
        try cipher.verifyAttributes(list, row: row, in: group)
        return .done(try SecretItem(row: row, list: list, group: group.name ?? name))
      }
    }
  }

  /// Reads a secret after its attributes have said that it may be given.
  func readGuarded(
    _ row: Span<UInt8>,
    at snapshot: GroupSnapshot,
    in group: OpenGroup,
    _ allowingExpired: Bool
  ) throws(VaultError) -> RowReading<SecretBytes?> {
    guard case .done(let item) = try readItem(row, at: snapshot, in: group) else { return .stale }
    try item.requireUsable(restored: snapshot.state.restored, allowingExpired: allowingExpired)
    if item.hasNoSecret { return .done(nil) }
    guard case .done(let secret) = try read(.secret, row: row, at: snapshot, in: group)
    else { return .stale }
    return .done(secret)
  }
}

extension SecretItem {
  /// Throws where the item has expired, or came back with a backup and must be written again.
  func requireUsable(restored: UInt64?, allowingExpired: Bool = false) throws(VaultError) {
    if !allowingExpired, let expires, expires <= Timestamp.now { throw VaultError(.expired) }
    if let restored, mustRevalidate, version <= restored {
      throw VaultError(.needsRevalidation)
    }
  }
}
