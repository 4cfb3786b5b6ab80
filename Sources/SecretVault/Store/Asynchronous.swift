import Dispatch

// The same calls for `async` code. They run on a queue of their own, so that waiting for the disk, for another
// process or for scrypt does not hold up the cooperative pool.

extension SecretStore {
  private static let queue = DispatchQueue(
    label: "secretvault.store",
    qos: .userInitiated,
    attributes: .concurrent
  )

  private func onQueue<Result: Sendable>(
    _ body: @escaping @Sendable () throws(VaultError) -> Result
  ) async throws(VaultError) -> Result {
    let result = await withCheckedContinuation { continuation in
      Self.queue.async {
        let result: Swift.Result<Result, VaultError>
        do throws(VaultError) {
          result = .success(try body())
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  private func onQueueUntyped<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Self.queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  /// Opens the groups that a credential gives, without blocking the cooperative pool.
  public func unlock(with credential: Credential) async throws(VaultError) {
    try await onQueue { () throws(VaultError) in try self.unlock(with: credential) }
  }

  /// Reads the secret of an item, without blocking the cooperative pool; `nil` where there is none.
  public func secret(for identity: ItemIdentity) async throws(VaultError) -> SecretBytes? {
    try await onQueue { () throws(VaultError) in try self.secret(for: identity) }
  }

  /// Reads an item without its secret, without blocking the cooperative pool; `nil` where there is none.
  public func item(for identity: ItemIdentity) async throws(VaultError) -> SecretItem? {
    try await onQueue { () throws(VaultError) in try self.item(for: identity) }
  }

  /// Lists the items that match, without blocking the cooperative pool.
  public func items(matching query: ItemQuery = .all) async throws(VaultError) -> ItemListing {
    try await onQueue { () throws(VaultError) in try self.items(matching: query) }
  }

  /// Stores a new item, without blocking the cooperative pool.
  public func add(_ item: SecretItem, secret: SecretBytes?) async throws(VaultError) {
    try await onQueue { () throws(VaultError) in try self.add(item, secret: secret) }
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
    try await onQueue { () throws(VaultError) in
      try self.set(
        secret,
        for: identity,
        accessibility: accessibility,
        label: label,
        comment: comment,
        ifVersion: version
      )
    }
  }

  /// Removes an item, without blocking the cooperative pool, and returns whether there was one.
  @discardableResult
  public func remove(_ identity: ItemIdentity) async throws(VaultError) -> Bool {
    try await onQueue { () throws(VaultError) in try self.remove(identity) }
  }

  /// Makes several changes in one commit, or none, without blocking the cooperative pool.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await onQueueUntyped { try self.transaction(body) }
  }

  /// Changes an item atomically, without blocking the cooperative pool.
  @discardableResult
  public func update<Result: Sendable>(
    _ identity: ItemIdentity,
    _ change: @escaping @Sendable (inout SecretItem, inout SecretBytes?) throws -> Result
  ) async throws -> Result {
    try await onQueueUntyped { try self.update(identity, change) }
  }
}
