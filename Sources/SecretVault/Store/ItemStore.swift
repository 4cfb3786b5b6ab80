/// Where items are kept and found: a vault that this process has opened, or one that an agent holds for it.
///
/// The calls mean the same on both. Code that reads and writes items, and does not care who holds the keys,
/// takes `any ItemStore`.
public protocol ItemStore: Sendable {
  /// Reads the secret of an item, with `allowingExpired` also one that has expired; `nil` where there is no such
  /// item, or it has no secret.
  ///
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `expired`, `needsRevalidation`, `tampered`.
  func secret(
    for identity: ItemIdentity,
    allowingExpired: Bool
  ) throws(VaultError) -> SecretBytes?

  /// Reads an item without its secret; `nil` where there is no such item.
  ///
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `tampered`.
  func item(for identity: ItemIdentity) throws(VaultError) -> SecretItem?

  /// Lists the items that a query describes.
  ///
  /// - Throws: ``VaultError``: `locked` before the first unlock, `tampered`.
  func items(matching query: ItemQuery) throws(VaultError) -> ItemListing

  /// Stores a new item; its secret may be `nil`, for an item without one.
  ///
  /// - Throws: ``VaultError``: `duplicateItem` where the identity is taken, `locked`, `accessibilityRefused`,
  ///   `limitExceeded`, `notOnThisDevice`, `busy`, `full`, `readOnly`.
  func add(_ item: SecretItem, secret: SecretBytes?) throws(VaultError)

  /// Stores a secret: in a new item, or in place of the one of that identity.
  ///
  /// With a `version` it stores only if the item has that one; 0 stands for no item.
  ///
  /// - Throws: ``VaultError``: `conflict` for another version, and what ``add(_:secret:)`` throws but for
  ///   `duplicateItem`.
  func set(
    _ secret: SecretBytes,
    for identity: ItemIdentity,
    changing changes: ItemChanges,
    ifVersion version: UInt64?
  ) throws(VaultError)

  /// Reads an item, lets `change` alter it and its secret, and stores the result, atomically also against
  /// other processes.
  ///
  /// A changed identity renames the item. The closure may run more than once.
  ///
  /// - Throws: ``VaultError``: `itemNotFound`, `duplicateItem`, `conflict` where others kept changing the
  ///   item; and what the closure throws.
  @discardableResult
  func update<Result>(
    _ identity: ItemIdentity,
    _ change: (inout SecretItem, inout SecretBytes?) throws -> Result
  ) throws -> Result

  /// Removes an item, and says whether there was one; with a `version` only if it has that one.
  ///
  /// - Throws: ``VaultError``: `conflict` for another version, `locked`, `notOnThisDevice`, `busy`, `full`,
  ///   `readOnly`.
  @discardableResult
  func remove(_ identity: ItemIdentity, ifVersion version: UInt64?) throws(VaultError) -> Bool

  /// Tells which earlier secrets of an item there are, newest first.
  ///
  /// - Throws: ``VaultError``: `itemNotFound`, `locked`, `notOnThisDevice`, `tampered`.
  func history(of identity: ItemIdentity) throws(VaultError) -> [ItemVersion]

  /// Reads an earlier secret of an item; `nil` where there is no such item, or its history has no such version.
  ///
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `expired`, `needsRevalidation`, `tampered`.
  func secret(of identity: ItemIdentity, version: UInt64) throws(VaultError) -> SecretBytes?

  /// Gives an item an earlier secret again; the present one goes into the history, in the same commit.
  ///
  /// - Throws: ``VaultError``: `itemNotFound` where there is no such item, or its history has no such version;
  ///   `locked`, `notOnThisDevice`, `tampered`, `busy`, `full`, `readOnly`.
  func restoreVersion(_ version: UInt64, of identity: ItemIdentity) throws(VaultError)

  /// Empties the write-ahead log, where the sealed bytes of removed items can still be, and says whether it
  /// could; readers and other writers hinder it.
  ///
  /// - Throws: ``VaultError``: `inputOutput`, `full`.
  func emptyLog() throws(VaultError) -> Bool
}

extension ItemStore {
  /// Reads the secret of an item; `nil` where there is no such item, or it has no secret.
  ///
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `expired`, `needsRevalidation`, `tampered`.
  public func secret(for identity: ItemIdentity) throws(VaultError) -> SecretBytes? {
    try secret(for: identity, allowingExpired: false)
  }

  /// Stores a secret: in a new item, or in place of the one of that identity.
  ///
  /// What is left out stays as it is in an existing item; a new one has the class `whenUnlocked`.
  ///
  /// - Throws: ``VaultError``: `conflict` for another version than the one asked for, `locked`,
  ///   `accessibilityRefused`, `limitExceeded`, `notOnThisDevice`, `busy`, `full`, `readOnly`.
  public func set(
    _ secret: SecretBytes,
    for identity: ItemIdentity,
    accessibility: Accessibility? = nil,
    label: String? = nil,
    comment: String? = nil,
    ifVersion version: UInt64? = nil
  ) throws(VaultError) {
    let changes = ItemChanges(accessibility: accessibility, label: label, comment: comment)
    try set(secret, for: identity, changing: changes, ifVersion: version)
  }

  /// Removes an item, whatever its version, and says whether there was one.
  ///
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `busy`, `full`, `readOnly`.
  @discardableResult
  public func remove(_ identity: ItemIdentity) throws(VaultError) -> Bool {
    try remove(identity, ifVersion: nil)
  }
}

extension SecretStore: ItemStore {}
