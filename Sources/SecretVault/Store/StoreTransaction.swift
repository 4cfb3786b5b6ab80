import VaultFormat

/// Several changes that become one commit, or none.
///
/// What is read here is remembered with its version. If another process changes any of it before the
/// commit, the whole closure runs again; so it should do nothing but read and write the vault. It runs
/// outside of every lock, as long as it likes.
public final class StoreTransaction {
  /// What is to happen to one identity.
  enum Change {
    case put(NewItem)
    /// The secret alone; the attributes stay as they are at the commit.
    case setSecret(SecretBytes)
    case remove
  }

  private let store: SecretStore
  /// The versions that were read; 0 where there was no item.
  private(set) var readVersions: [ItemIdentity: UInt64] = [:]
  private(set) var changes: [(identity: ItemIdentity, change: Change)] = []
  private var pending: [ItemIdentity: Change] = [:]

  init(_ store: SecretStore) {
    self.store = store
  }

  /// Reads the secret of an item as this transaction leaves it, or `nil` where there is none.
  public func secret(for identity: ItemIdentity) throws(VaultError) -> SecretBytes? {
    try newItem(for: identity)?.secret
  }

  /// Reads an item as this transaction leaves it, or `nil` where there is none.
  public func item(for identity: ItemIdentity) throws(VaultError) -> SecretItem? {
    try newItem(for: identity)?.item
  }

  /// Stores a new item.
  ///
  /// - Throws: ``VaultError`` with the code `duplicateItem` where the identity is taken.
  public func add(_ item: SecretItem, secret: SecretBytes?) throws(VaultError) {
    guard try newItem(for: item.identity) == nil else { throw VaultError(.duplicateItem) }
    note(.put(NewItem(item: item, secret: secret)), for: item.identity)
  }

  /// Stores an item with its secret, over the one of the same identity.
  public func set(_ item: SecretItem, secret: SecretBytes?) throws(VaultError) {
    _ = try newItem(for: item.identity)
    note(.put(NewItem(item: item, secret: secret)), for: item.identity)
  }

  /// Stores a secret in a new item, or in place of the one that an existing item has at the commit.
  public func set(_ secret: SecretBytes, for identity: ItemIdentity) throws(VaultError) {
    if case .put(var new) = pending[identity] {
      new.secret = secret
      note(.put(new), for: identity)
    } else {
      note(.setSecret(secret), for: identity)
    }
  }

  /// Reads an item, lets `change` alter it and its secret, and stores the result.
  ///
  /// A changed identity renames the item.
  ///
  /// - Throws: ``VaultError``: `itemNotFound`, `duplicateItem` where the new identity is taken; and what
  ///   `change` throws.
  public func update<Result>(
    _ identity: ItemIdentity,
    _ change: (inout SecretItem, inout SecretBytes?) throws -> Result
  ) throws -> Result {
    guard var new = try newItem(for: identity) else { throw VaultError(.itemNotFound) }
    let result = try change(&new.item, &new.secret)
    var renamed = new.item.identity
    if renamed.group == nil { renamed.group = identity.group }
    if renamed.input != identity.input || !isSameGroup(renamed.group, identity.group) {
      guard try newItem(for: renamed) == nil else { throw VaultError(.duplicateItem) }
      note(.remove, for: identity)
    }
    note(.put(new), for: renamed)
    return result
  }

  /// Removes an item, and returns whether there was one.
  @discardableResult
  public func remove(_ identity: ItemIdentity) throws(VaultError) -> Bool {
    guard try newItem(for: identity) != nil else { return false }
    note(.remove, for: identity)
    return true
  }

  private func newItem(for identity: ItemIdentity) throws(VaultError) -> NewItem? {
    switch pending[identity] {
    case .put(let new): return new
    case .remove: return nil
    case .setSecret(let secret):
      let item = try stored(for: identity)?.item ?? SecretItem(identity: identity)
      return NewItem(item: item, secret: secret)
    case .none: return try stored(for: identity)
    }
  }

  private func stored(for identity: ItemIdentity) throws(VaultError) -> NewItem? {
    let found = try store.newItem(for: identity)
    let version = found?.item.version ?? 0
    if let earlier = readVersions.updateValue(version, forKey: identity), earlier != version {
      throw VaultError(.conflict)
    }
    return found
  }

  private func note(_ change: Change, for identity: ItemIdentity) {
    pending[identity] = change
    changes.append((identity, change))
  }

  private func isSameGroup(_ left: String?, _ right: String?) -> Bool {
    (left ?? SecretStore.defaultGroupName) == (right ?? SecretStore.defaultGroupName)
  }
}

extension SecretStore {
  /// Makes several changes in one commit, or none.
  ///
  /// The closure runs outside of every lock, and again from its start where another process changed what it
  /// read. If it throws, nothing is stored.
  ///
  /// - Throws: ``VaultError`` with the code `conflict` where others kept changing it for longer than the busy
  ///   limit; and what the closure throws.
  public func transaction<Result>(
    _ body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    let deadline = ContinuousClock.now + .milliseconds(options.busyTimeoutMilliseconds)
    while true {
      do {
        let transaction = StoreTransaction(self)
        let result = try body(transaction)
        try apply(transaction)
        return result
      } catch let error as VaultError where error.code == .conflict {
        guard ContinuousClock.now < deadline else { throw error }
      }
    }
  }

  /// Reads an item, lets `change` alter it and its secret, and stores the result, atomically also against
  /// other processes.
  ///
  /// A changed identity renames the item. The closure may run more than once.
  ///
  /// - Throws: ``VaultError``: `itemNotFound`, `duplicateItem`, and what
  ///   ``transaction(_:)`` throws.
  @discardableResult
  public func update<Result>(
    _ identity: ItemIdentity,
    _ change: (inout SecretItem, inout SecretBytes?) throws -> Result
  ) throws -> Result {
    try transaction { transaction in try transaction.update(identity, change) }
  }

  private func apply(_ transaction: StoreTransaction) throws(VaultError) {
    guard !transaction.changes.isEmpty else { return }
    try commit { commit throws(VaultError) in
      for (identity, version) in transaction.readVersions {
        let (group, lookup) = try commit.place(of: identity)
        let current = try commit.usableClaim(lookup, in: group)?.version ?? 0
        guard current == version else { throw VaultError(.conflict) }
      }
      var application = TransactionApplication(commit: commit)
      for (identity, change) in transaction.changes {
        try application.apply(change, to: identity)
      }
      try application.finish()
    }
  }
}

/// Applies the changes of a transaction in their order.
private struct TransactionApplication {
  let commit: Commit
  /// Claims that were taken from their place; a rename puts one back elsewhere, with item id and box.
  private var taken: [String: (claim: Claim, group: OpenGroup)] = [:]

  init(commit: Commit) {
    self.commit = commit
  }

  mutating func apply(
    _ change: StoreTransaction.Change,
    to identity: ItemIdentity
  ) throws(VaultError) {
    let (group, lookup) = try commit.place(of: identity)
    switch change {
    case .remove:
      guard let claim = try commit.usableClaim(lookup, in: group) else { return }
      try commit.working(group).remove(lookup)
      taken[claim.itemID.hex] = (claim, group)
    case .setSecret(let secret):
      let old = try commit.usableClaim(lookup, in: group)
      try commit.set(secret, for: identity, replacing: old, lookup: lookup, in: group) { _ in }
    case .put(var new):
      if let old = try commit.usableClaim(lookup, in: group) {
        new.history = try commit.history(of: old, in: group)
        try commit.put(new, replacing: old, lookup: lookup, in: group)
      } else if let old = taken.removeValue(forKey: new.item.itemID) {
        new.history = try commit.history(of: old.claim, in: old.group)
        try commit.put(new, replacing: old.claim, lookup: lookup, in: group)
      } else {
        try commit.put(new, replacing: nil, lookup: lookup, in: group)
      }
    }
  }

  /// Ends what was removed and not put back.
  func finish() throws(VaultError) {
    for (claim, group) in taken.values { try commit.remove(claim, in: group) }
  }
}
