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
  /// Whether something that was read has changed meanwhile, so that the closure has to run again.
  private(set) var isStale = false
  /// The versions that were read, by place; 0 where there was no item.
  private(set) var readVersions: [ItemPlace: UInt64] = [:]
  private(set) var changes: [(identity: ItemIdentity, place: ItemPlace, change: Change)] = []
  private var pending: [ItemPlace: Change] = [:]

  init(_ store: SecretStore) {
    self.store = store
  }

  /// Reads the secret of an item as this transaction leaves it, or `nil` where there is none.
  ///
  /// - Throws: ``VaultError``: `locked`, `notOnThisDevice`, `expired`, `needsRevalidation`, `tampered`.
  public func secret(for identity: ItemIdentity) throws(VaultError) -> SecretBytes? {
    try newItem(for: identity, at: store.place(of: identity), isForUse: true)?.secret
  }

  /// Reads an item as this transaction leaves it, or `nil` where there is none.
  public func item(for identity: ItemIdentity) throws(VaultError) -> SecretItem? {
    try newItem(for: identity, at: store.place(of: identity))?.item
  }

  /// Stores a new item.
  ///
  /// - Throws: ``VaultError`` with the code `duplicateItem` where the identity is taken.
  public func add(_ item: SecretItem, secret: SecretBytes?) throws(VaultError) {
    let identity = item.identity
    let place = try store.place(of: identity)
    guard try newItem(for: identity, at: place) == nil else { throw VaultError(.duplicateItem) }
    note(.put(NewItem(item: item, secret: secret)), for: identity, at: place)
  }

  /// Stores an item with its secret, over the one that has the same identity at the commit.
  public func set(_ item: SecretItem, secret: SecretBytes?) throws(VaultError) {
    let identity = item.identity
    let place = try store.place(of: identity)
    note(.put(NewItem(item: item, secret: secret)), for: identity, at: place)
  }

  /// Stores a secret in a new item, or in place of the one that an existing item has at the commit.
  public func set(_ secret: SecretBytes, for identity: ItemIdentity) throws(VaultError) {
    let place = try store.place(of: identity)
    switch pending[place] {
    case .put(var new):
      new.secret = secret
      note(.put(new), for: identity, at: place)
    case .remove:
      // What is still stored there has no part in the new item.
      let new = NewItem(item: SecretItem(identity: identity), secret: secret)
      note(.put(new), for: identity, at: place)
    case .setSecret, .none: note(.setSecret(secret), for: identity, at: place)
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
    let place = try store.place(of: identity)
    guard var new = try newItem(for: identity, at: place) else { throw VaultError(.itemNotFound) }
    let result = try change(&new.item, &new.secret)
    var renamed = new.item.identity
    if renamed.group == nil { renamed.group = identity.group }
    let newPlace = try store.place(of: renamed)
    if newPlace != place {
      guard try newItem(for: renamed, at: newPlace) == nil else { throw VaultError(.duplicateItem) }
      note(.remove, for: identity, at: place)
    }
    note(.put(new), for: renamed, at: newPlace)
    return result
  }

  /// Removes an item, and returns whether there was one.
  @discardableResult
  public func remove(_ identity: ItemIdentity) throws(VaultError) -> Bool {
    let place = try store.place(of: identity)
    guard try newItem(for: identity, at: place) != nil else { return false }
    note(.remove, for: identity, at: place)
    return true
  }

  private func newItem(
    for identity: ItemIdentity,
    at place: ItemPlace,
    isForUse: Bool = false
  ) throws(VaultError) -> NewItem? {
    switch pending[place] {
    case .put(let new): return new
    case .remove: return nil
    case .setSecret(let secret):
      let item = try stored(for: identity, at: place)?.item ?? SecretItem(identity: identity)
      return NewItem(item: item, secret: secret)
    case .none: return try stored(for: identity, at: place, isForUse: isForUse)
    }
  }

  private func stored(
    for identity: ItemIdentity,
    at place: ItemPlace,
    isForUse: Bool = false
  ) throws(VaultError) -> NewItem? {
    let found = try store.newItem(for: identity, isForUse: isForUse)
    let version = found?.item.version ?? 0
    if let earlier = readVersions.updateValue(version, forKey: place), earlier != version {
      isStale = true
      throw VaultError(.conflict)
    }
    return found
  }

  private func note(_ change: Change, for identity: ItemIdentity, at place: ItemPlace) {
    pending[place] = change
    changes.append((identity, place, change))
  }
}

/// Where an item is: its group, and its lookup there.
///
/// Identities with and without the name of the group can name one place.
struct ItemPlace: Hashable, Sendable {
  let groupID: Identifier
  let lookup: Digest
}

extension SecretStore {
  /// Makes several changes in one commit, or none.
  ///
  /// The closure runs outside of every lock, and again from its start where another process changed what it
  /// read; so what it read goes together, also where it only reads. If it throws, nothing is stored.
  ///
  /// - Throws: ``VaultError`` with the code `conflict` where others kept changing it for longer than the busy
  ///   limit; and what the closure throws.
  public func transaction<Result>(
    _ body: (StoreTransaction) throws -> Result
  ) throws -> Result {
    let deadline = ContinuousClock.now + .milliseconds(options.busyTimeoutMilliseconds)
    while true {
      let transaction = StoreTransaction(self)
      switch Swift.Result(catching: { try body(transaction) }) {
      case .success(let result): if try apply(transaction) { return result }
      case .failure(let error): guard mayMixStates(transaction) else { throw error }
      }
      guard ContinuousClock.now < deadline else { throw VaultError(.conflict) }
    }
  }

  /// Reads an item, lets `change` alter it and its secret, and stores the result, atomically also against
  /// other processes.
  ///
  /// A changed identity renames the item. The closure may run more than once.
  ///
  /// - Throws: ``VaultError``: `itemNotFound`, `duplicateItem`, and what
  ///   `transaction(_:)` throws.
  @discardableResult
  public func update<Result>(
    _ identity: ItemIdentity,
    _ change: (inout SecretItem, inout SecretBytes?) throws -> Result
  ) throws -> Result {
    try transaction { transaction in try transaction.update(identity, change) }
  }
}
