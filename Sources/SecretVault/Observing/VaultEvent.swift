/// One thing that happened to a vault; never a secret.
///
/// New kinds may be added, so a `switch` over them needs a default.
public struct VaultEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// An item was added or changed.
    case itemSet
    /// An item has another identity, and maybe other contents.
    case itemRenamed
    /// An item was removed.
    case itemRemoved
    /// More happened than can be told one by one; what the reader knows may be out of date, so read it again.
    case anythingMayHaveChanged
    /// The classes that need an unlocked vault were closed.
    case locked
    /// A credential opened the vault.
    case unlocked
    /// The vault got new keys; the store is closed until it is unlocked again.
    case keysRotated
  }

  /// What happened.
  public let kind: Kind
  /// The item that it happened to, or `nil` where it concerns the whole vault.
  public let item: ChangedItem?

  init(_ kind: Kind, item: ChangedItem? = nil) {
    self.kind = kind
    self.item = item
  }
}

/// An item that an event tells of.
public struct ChangedItem: Hashable, Sendable {
  /// The item's permanent name inside the vault, 32 hexadecimal digits, as in ``SecretItem/itemID``.
  public let itemID: String
  /// What names the item; `nil` where that cannot be read now, and for a removed item that no earlier event named.
  public let identity: ItemIdentity?
  /// What named the item before it was renamed, where that is known.
  public let formerIdentity: ItemIdentity?
  /// The access group, or `nil` while its name is locked.
  public let group: String?
  /// The group's counter at the commit that changed the item; for a removal, at the first state that was seen
  /// without it.
  public let version: UInt64
}
