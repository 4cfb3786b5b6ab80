import SecretMemory
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Tells which earlier secrets of an item the vault has, newest first.
  ///
  /// - Throws: ``VaultError``: `itemNotFound`, `locked`, `notOnThisDevice`, `tampered`.
  public func history(of identity: ItemIdentity) throws(VaultError) -> [ItemVersion] {
    guard let history = try readHistory(of: identity, isForUse: false)
    else { throw VaultError(.itemNotFound) }
    return history.versions
  }

  /// Reads an earlier secret of an item; what keeps the present one from being given out keeps this one too.
  ///
  /// - Returns: `nil` where there is no such item, or its history has no such version.
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `expired`, `needsRevalidation`, `tampered`.
  public func secret(
    of identity: ItemIdentity,
    version: UInt64
  ) throws(VaultError) -> SecretBytes? {
    try readHistory(of: identity, isForUse: true)?.secret(ofVersion: version)
  }

  /// Gives an item an earlier secret again; the present one goes into the history, in the same commit.
  ///
  /// All attributes stay as they are.
  ///
  /// - Throws: ``VaultError``: `itemNotFound` where there is no such item, or its history has no such version;
  ///   `locked`, `notOnThisDevice`, `tampered`, `busy`, `full`, `readOnly`.
  public func restoreVersion(
    _ version: UInt64,
    of identity: ItemIdentity
  ) throws(VaultError) {
    try commit { commit throws(VaultError) in
      let (group, lookup) = try commit.place(of: identity)
      guard let stored = try commit.storedItem(lookup, in: group)
      else { throw VaultError(.itemNotFound) }
      let item = try commit.item(of: stored.claim, in: group)
      guard let secret = try commit.history(of: stored, item).secret(ofVersion: version) else {
        throw VaultError(
          .itemNotFound,
          "the item has no earlier secret of that version; list its history"
        )
      }
      try commit.put(
        NewItem(item: item, secret: secret),
        replacing: stored,
        lookup: lookup,
        in: group
      )
    }
  }

  private func readHistory(
    of identity: ItemIdentity,
    isForUse: Bool
  ) throws(VaultError) -> ItemHistory? {
    try perform { open, session throws(VaultError) in
      let group = try open.group(named: identity.group, using: session)
      let lookup = try session.lookup(of: identity, in: group)
      return try session.withRow(lookup, in: group, startsInTransaction: true) {
        row,
        snapshot throws(VaultError) -> RowReading<ItemHistory> in
        _ = try session.requireAccess(to: row, open: open, in: group)
        guard case .done(let item) = try session.readItem(row, at: snapshot, in: group),
          case .done(let history) = try session.readHistory(
            of: item,
            row: row,
            at: snapshot,
            in: group
          )
        else { return .stale }
        if isForUse { try item.requireUsable(restored: snapshot.state.restored) }
        return .done(history)
      }
    }
  }
}
