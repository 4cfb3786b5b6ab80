import SecretVault

/// Answers the requests that are about the items of a vault.
struct ItemService {
  let vaults: HeldVaults

  func reply(to request: Request) throws(VaultError) -> Reply {
    switch request {
    case .secret(let path, let identity, let allowingExpired):
      return .secret(
        try vaults.withStore(of: path) { store throws(VaultError) in
          try store.secret(for: identity, allowingExpired: allowingExpired)
        }
      )
    case .earlierSecret(let path, let identity, let version):
      return .secret(
        try vaults.withStore(of: path) { store throws(VaultError) in
          try store.secret(of: identity, version: version)
        }
      )
    case .history(let path, let identity):
      return .history(
        try vaults.withStore(of: path) { store throws(VaultError) in
          try store.history(of: identity)
        }
      )
    case .item(let path, let identity):
      return .item(
        try vaults.withStore(of: path) { store throws(VaultError) in try store.item(for: identity) }
      )
    case .contents(let path, let identity):
      return try vaults.withStore(of: path) { store throws(VaultError) in
        try contents(of: identity, in: store)
      }
    case .remove(let path, let identity, let version):
      return .flag(
        try vaults.withStore(of: path) { store throws(VaultError) in
          try store.remove(identity, ifVersion: version)
        }
      )
    case .emptyLog(let path):
      return .flag(
        try vaults.withStore(of: path) { store throws(VaultError) in try store.emptyLog() }
      )
    default:
      try write(request)
      return .done
    }
  }

  private func write(_ request: Request) throws(VaultError) {
    switch request {
    case .add(let path, let item, let secret):
      try vaults.withStore(of: path) { store throws(VaultError) in
        try store.add(item, secret: secret)
      }
    case .set(let path, let identity, let changes, let version, let secret):
      try vaults.withStore(of: path) { store throws(VaultError) in
        try store.set(secret, for: identity, changing: changes, ifVersion: version)
      }
    case .replace(let path, let identity, let item, let secret):
      try vaults.withStore(of: path) { store throws(VaultError) in
        try replace(identity, with: item, secret, in: store)
      }
    case .restoreVersion(let path, let identity, let version):
      try vaults.withStore(of: path) { store throws(VaultError) in
        try store.restoreVersion(version, of: identity)
      }
    default: throw VaultError(.invalidArgument)
    }
  }

  /// What ends an update that only reads.
  private struct NothingToWrite: Error {}

  /// Reads an item and its secret at one moment, as for an update: also when the item has expired.
  private func contents(
    of identity: ItemIdentity,
    in store: SecretStore
  ) throws(VaultError) -> Reply {
    var contents: Reply?
    do {
      try store.update(identity) { item, secret in
        contents = .contents(item, secret)
        throw NothingToWrite()
      }
    } catch is NothingToWrite {
    } catch {
      throw VaultError(translating: error)
    }
    guard let contents else { throw VaultError(.itemNotFound) }
    return contents
  }

  /// Stores an item and its secret if the stored one still is what the client has read.
  private func replace(
    _ identity: ItemIdentity,
    with item: SecretItem,
    _ secret: SecretBytes?,
    in store: SecretStore
  ) throws(VaultError) {
    try translatingErrors {
      try store.update(identity) { stored, storedSecret in
        guard stored.itemID == item.itemID, stored.version == item.version else {
          throw VaultError(.conflict)
        }
        stored = item
        storedSecret = secret
      }
    }
  }
}
