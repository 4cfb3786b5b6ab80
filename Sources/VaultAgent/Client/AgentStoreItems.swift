public import SecretMemory
public import SecretVault

extension AgentStore: ItemStore {
  /// How long an update is tried again while others keep changing the item.
  private static let updatePatience = Duration.seconds(5)

  /// Reads the secret of an item, with `allowingExpired` also one that has expired; `nil` where there is no such
  /// item, or it has no secret.
  ///
  /// - Throws: `VaultError`: `locked`, `notOnThisDevice`, `expired`, `needsRevalidation`, `tampered`.
  public func secret(
    for identity: ItemIdentity,
    allowingExpired: Bool
  ) throws(VaultError) -> SecretBytes? {
    try secret(.secret(path, identity, allowingExpired: allowingExpired))
  }

  /// Reads an item without its secret; `nil` where there is no such item.
  ///
  /// - Throws: `VaultError`: `locked`, `notOnThisDevice`, `tampered`.
  public func item(for identity: ItemIdentity) throws(VaultError) -> SecretItem? {
    guard case .item(let item) = try exchange(.item(path, identity))
    else { throw AgentConnection.incomprehensible }
    return item
  }

  /// Lists the items that a query describes.
  ///
  /// - Throws: `VaultError`: `locked` before the first unlock, `tampered`.
  public func items(matching query: ItemQuery = .all) throws(VaultError) -> ItemListing {
    guard case .listing(let listing, _) = try exchange(.items(path, query))
    else { throw AgentConnection.incomprehensible }
    return listing
  }

  /// Stores a new item; its secret may be `nil`, for an item without one.
  ///
  /// - Throws: `VaultError`: `duplicateItem`, `locked`, `accessibilityRefused`, `limitExceeded`, `notOnThisDevice`,
  ///   `busy`, `full`, `readOnly`; `inputOutput` where the agent ended meanwhile.
  public func add(_ item: SecretItem, secret: SecretBytes?) throws(VaultError) {
    try done(.add(path, item, secret))
  }

  /// Stores a secret: in a new item, or in place of the one of that identity.
  ///
  /// - Throws: `VaultError`: `conflict` for another version than the one asked for, and what
  ///   ``add(_:secret:)-(SecretItem,_)`` throws but for `duplicateItem`.
  public func set(
    _ secret: SecretBytes,
    for identity: ItemIdentity,
    changing changes: ItemChanges,
    ifVersion version: UInt64?
  ) throws(VaultError) {
    try done(.set(path, identity, changes, version: version, secret))
  }

  /// Reads an item, lets `change` alter it and its secret, and stores the result, atomically also against
  /// other processes.
  ///
  /// The closure runs in this process, and again where another program changed the item meanwhile.
  ///
  /// - Throws: `VaultError`: `itemNotFound`, `duplicateItem`, `conflict` where others kept changing the item for five
  ///   seconds; and what the closure throws.
  @discardableResult
  public func update<Result>(
    _ identity: ItemIdentity,
    _ change: (inout SecretItem, inout SecretBytes?) throws -> Result
  ) throws -> Result {
    let deadline = ContinuousClock.now + Self.updatePatience
    while true {
      guard case .contents(let stored, var secret) = try exchange(.contents(path, identity))
      else { throw AgentConnection.incomprehensible }
      var item = stored
      let result = try change(&item, &secret)
      do throws(VaultError) {
        try done(.replace(path, identity, item.replacing(stored), secret))
        return result
      } catch {
        guard error.code == .conflict, ContinuousClock.now < deadline else { throw error }
      }
    }
  }

  /// Removes an item, and says whether there was one.
  ///
  /// - Throws: `VaultError`: `locked`, `notOnThisDevice`, `busy`, `full`, `readOnly`; `inputOutput` where the agent
  ///   ended meanwhile.
  @discardableResult
  public func remove(
    _ identity: ItemIdentity,
    ifVersion version: UInt64?
  ) throws(VaultError) -> Bool {
    try flag(.remove(path, identity, version: version))
  }

  /// Tells which earlier secrets of an item there are, newest first.
  ///
  /// - Throws: `VaultError`: `itemNotFound`, `locked`, `notOnThisDevice`, `tampered`.
  public func history(of identity: ItemIdentity) throws(VaultError) -> [ItemVersion] {
    guard case .history(let versions) = try exchange(.history(path, identity))
    else { throw AgentConnection.incomprehensible }
    return versions
  }

  /// Reads an earlier secret of an item; `nil` where there is no such item, or its history has no such version.
  ///
  /// - Throws: `VaultError`: `locked`, `notOnThisDevice`, `expired`, `needsRevalidation`, `tampered`.
  public func secret(
    of identity: ItemIdentity,
    version: UInt64
  ) throws(VaultError) -> SecretBytes? {
    try secret(.earlierSecret(path, identity, version: version))
  }

  /// Gives an item an earlier secret again; the present one goes into the history, in the same commit.
  ///
  /// - Throws: `VaultError`: `itemNotFound` where there is no such item, or its history has no such version;
  ///   `locked`, `notOnThisDevice`, `busy`, `full`, `readOnly`; `inputOutput` where the agent ended meanwhile.
  public func restoreVersion(
    _ version: UInt64,
    of identity: ItemIdentity
  ) throws(VaultError) {
    try done(.restoreVersion(path, identity, version: version))
  }

  /// Lets the agent empty the write-ahead log, and says whether it could.
  ///
  /// - Throws: `VaultError`: `locked`, `inputOutput`, `full`.
  public func emptyLog() throws(VaultError) -> Bool {
    try flag(.emptyLog(path))
  }

  private func secret(_ request: Request) throws(VaultError) -> SecretBytes? {
    guard case .secret(let secret) = try exchange(request)
    else { throw AgentConnection.incomprehensible }
    return secret
  }

  private func done(_ request: Request) throws(VaultError) {
    guard case .done = try exchange(request) else { throw AgentConnection.incomprehensible }
  }

  private func flag(_ request: Request) throws(VaultError) -> Bool {
    guard case .flag(let flag) = try exchange(request)
    else { throw AgentConnection.incomprehensible }
    return flag
  }
}

extension SecretItem {
  /// The same item as the next state of a stored one, whatever the program put in its place.
  fileprivate func replacing(_ stored: SecretItem) -> SecretItem {
    SecretItem(
      kindByte: kindByte,
      isMarkedSynchronizable: isMarkedSynchronizable,
      accessibility: accessibility,
      version: stored.version,
      storedID: stored.storedID,
      attributes: attributes,
      groupName: groupName
    )
  }
}
