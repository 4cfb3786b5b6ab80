import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// What a write leaves of the earlier secrets, and how many there may be.
struct KeptHistory {
  var earlier = ItemHistory.empty
  let limit: Int

  var count: Int { earlier.count }
  var bytes: SecretBytes? { earlier.bytes }
}

extension Commit {
  /// The history of the next state of an item: the secret that it had until now comes in front, if it is another.
  ///
  /// Between two changes of one commit there was no version that anybody has seen, so none is kept.
  func history(
    of new: NewItem,
    following old: StoredItem?,
    _ unsaid: SecretItem?
  ) throws(VaultError) -> KeptHistory {
    let given = new.item.attributes.integer(.versionsKept)
    guard let old, given ?? (unsaid == nil ? 0 : 1) > 0 else {
      return KeptHistory(limit: Int(clamping: given ?? 0))
    }
    let former = if let unsaid { unsaid } else { try item(of: old.claim, in: old.group) }
    let limit = given.map { Int(clamping: $0) } ?? former.versionsKept
    guard limit > 0 else { return KeptHistory(limit: 0) }
    let earlier = try history(of: old, former)
    let isSeen = try old.claim.version < working(old.group).version
    let secret = isSeen ? try secret(of: old, former, unlessEqual: new.secret) : nil
    let kept = try earlier.adding(secret, of: former.itemVersion, keeping: limit)
    if kept.isOverfull { hasOverfullHistory = true }
    return KeptHistory(earlier: kept.history, limit: limit)
  }

  /// The item that a write replaces, where the new one does not say all of it.
  ///
  /// What was read at this version says all; what was described anew leaves out what it does not change.
  func unsaid(by new: NewItem, following old: StoredItem?) throws(VaultError) -> SecretItem? {
    guard let old else { return nil }
    let isWhole = new.item.storedID == old.claim.itemID && new.item.version == old.claim.version
    return isWhole ? nil : try item(of: old.claim, in: old.group)
  }

  /// The history of an item as this commit finds it.
  func history(
    of stored: StoredItem,
    _ item: SecretItem
  ) throws(VaultError) -> ItemHistory {
    let row = stored.claim.bytes
    let base = try working(stored.group).base
    guard
      case .done(let history) = try session.readHistory(
        of: item,
        row: row.span,
        at: base,
        in: stored.group
      )
    else { throw VaultError(.tampered) }
    return history
  }

  /// The secret of an item, or `nil` where it has none, or the one that it is compared with.
  private func secret(
    of stored: StoredItem,
    _ item: SecretItem,
    unlessEqual new: SecretBytes?
  ) throws(VaultError) -> SecretBytes? {
    if item.hasNoSecret { return nil }
    let secret = try read(.secret, of: stored.claim, in: stored.group)
    if let new, new.constantTimeEquals(secret) { return nil }
    return secret
  }
}

extension SecretItem {
  /// The item's version and when it was made.
  var itemVersion: ItemVersion {
    ItemVersion(
      version: version,
      modified: modified ?? Timestamp(millisecondsSince1970: 0)
    )
  }
}
