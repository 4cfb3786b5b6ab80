// The same calls for `async` code, which wait on a queue of their own.

extension ItemStore {
  /// Reads the secret of an item, without blocking the cooperative pool; `nil` where there is none.
  public func secret(for identity: ItemIdentity) async throws(VaultError) -> SecretBytes? {
    try await BlockingCalls.run { () throws(VaultError) in try self.secret(for: identity) }
  }

  /// Reads the secret of an item, also an expired one where that is allowed, without blocking the cooperative pool.
  public func secret(
    for identity: ItemIdentity,
    allowingExpired: Bool
  ) async throws(VaultError) -> SecretBytes? {
    try await BlockingCalls.run { () throws(VaultError) in
      try self.secret(for: identity, allowingExpired: allowingExpired)
    }
  }

  /// Tells which earlier secrets of an item there are, without blocking the cooperative pool.
  public func history(of identity: ItemIdentity) async throws(VaultError) -> [ItemVersion] {
    try await BlockingCalls.run { () throws(VaultError) in try self.history(of: identity) }
  }

  /// Reads an earlier secret of an item, without blocking the cooperative pool; `nil` where there is none.
  public func secret(
    of identity: ItemIdentity,
    version: UInt64
  ) async throws(VaultError) -> SecretBytes? {
    try await BlockingCalls.run { () throws(VaultError) in
      try self.secret(of: identity, version: version)
    }
  }

  /// Gives an item an earlier secret again, without blocking the cooperative pool.
  public func restoreVersion(
    _ version: UInt64,
    of identity: ItemIdentity
  ) async throws(VaultError) {
    try await BlockingCalls.run { () throws(VaultError) in
      try self.restoreVersion(version, of: identity)
    }
  }

  /// Reads an item without its secret, without blocking the cooperative pool; `nil` where there is none.
  public func item(for identity: ItemIdentity) async throws(VaultError) -> SecretItem? {
    try await BlockingCalls.run { () throws(VaultError) in try self.item(for: identity) }
  }

  /// Lists the items that match, without blocking the cooperative pool.
  public func items(matching query: ItemQuery = .all) async throws(VaultError) -> ItemListing {
    try await BlockingCalls.run { () throws(VaultError) in try self.items(matching: query) }
  }

  /// Stores a new item, without blocking the cooperative pool.
  public func add(_ item: SecretItem, secret: SecretBytes?) async throws(VaultError) {
    try await BlockingCalls.run { () throws(VaultError) in try self.add(item, secret: secret) }
  }

  /// Stores a secret in a new or an existing item, without blocking the cooperative pool.
  public func set(
    _ secret: SecretBytes,
    for identity: ItemIdentity,
    accessibility: Accessibility? = nil,
    label: String? = nil,
    comment: String? = nil,
    ifVersion version: UInt64? = nil
  ) async throws(VaultError) {
    let changes = ItemChanges(accessibility: accessibility, label: label, comment: comment)
    try await BlockingCalls.run { () throws(VaultError) in
      try self.set(secret, for: identity, changing: changes, ifVersion: version)
    }
  }

  /// Stores a secret and changes what is noted about its item, without blocking the cooperative pool.
  public func set(
    _ secret: SecretBytes,
    for identity: ItemIdentity,
    changing changes: ItemChanges,
    ifVersion version: UInt64? = nil
  ) async throws(VaultError) {
    try await BlockingCalls.run { () throws(VaultError) in
      try self.set(secret, for: identity, changing: changes, ifVersion: version)
    }
  }

  /// Removes an item, without blocking the cooperative pool, and returns whether there was one.
  @discardableResult
  public func remove(_ identity: ItemIdentity) async throws(VaultError) -> Bool {
    try await BlockingCalls.run { () throws(VaultError) in try self.remove(identity) }
  }

  /// Removes an item if it has a version, without blocking the cooperative pool, and returns whether there was one.
  @discardableResult
  public func remove(
    _ identity: ItemIdentity,
    ifVersion version: UInt64?
  ) async throws(VaultError) -> Bool {
    try await BlockingCalls.run { () throws(VaultError) in
      try self.remove(identity, ifVersion: version)
    }
  }

  /// Empties the write-ahead log, without blocking the cooperative pool, and returns whether it could.
  @discardableResult
  public func emptyLog() async throws(VaultError) -> Bool {
    try await BlockingCalls.run { () throws(VaultError) in try self.emptyLog() }
  }

  /// Changes an item atomically, without blocking the cooperative pool.
  @discardableResult
  public func update<Result: Sendable>(
    _ identity: ItemIdentity,
    _ change: @escaping @Sendable (inout SecretItem, inout SecretBytes?) throws -> Result
  ) async throws -> Result {
    try await BlockingCalls.run { try self.update(identity, change) }
  }
}

extension SecretStore {
  /// Opens the groups that a credential gives, without blocking the cooperative pool.
  public func unlock(with credential: Credential) async throws(VaultError) {
    try await BlockingCalls.run { () throws(VaultError) in try self.unlock(with: credential) }
  }

  /// Makes several changes in one commit, or none, without blocking the cooperative pool.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await BlockingCalls.run { try self.transaction(body) }
  }
}
