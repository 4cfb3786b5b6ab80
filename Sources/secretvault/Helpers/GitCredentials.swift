import SecretVault

/// The credentials of git in a store: the password of an account under a service named for the address, and
/// beside it the refresh token.
struct GitCredentials {
  let store: any ItemStore
  let scope: HelperScope

  /// What git is told about a credential.
  struct Answer {
    let username: AttributeValue
    let password: SecretBytes
    let expires: Timestamp?
    let refreshToken: SecretBytes?
  }

  /// Finds the credential of an address: of the named user, else of the first account by name.
  ///
  /// - Returns: `nil` where none is known. What has expired counts as unknown, and so does what must be
  ///   written again after a restore.
  /// - Throws: `locked` where it could be there, and whatever the store throws.
  func find(_ service: AttributeValue, _ request: GitRequest) throws -> Answer? {
    let accounts = try accounts(service, request)
    for account in accounts.names {
      let identity = scope.identity(service, account)
      let item = try store.item(for: identity)
      guard let password = try store.usableSecret(for: identity) else { continue }
      let token = try request.refreshService.flatMap { service in
        try store.usableSecret(for: scope.identity(service, account))
      }
      return Answer(
        username: account,
        password: password,
        expires: item?.expires,
        refreshToken: token
      )
    }
    if accounts.areIncomplete { throw VaultError(.locked) }
    return nil
  }

  /// Stores a credential that worked, in place of all that was known about this account.
  ///
  /// A request without user or password stores nothing.
  func keep(_ service: AttributeValue, _ request: GitRequest) throws {
    guard let username = request.username, let password = request.password else { return }
    let account = AttributeValue(name: username)
    try put(password, scope.identity(service, account), expires: request.expires)
    guard let refreshService = request.refreshService else { return }
    let tokenIdentity = scope.identity(refreshService, account)
    if let token = request.refreshToken {
      try put(token, tokenIdentity, expires: nil)
    } else {
      try store.remove(tokenIdentity)
    }
  }

  /// Removes the credentials of an address: of the named user, else of all accounts; where the request has a
  /// password only those that have it.
  ///
  /// - Throws: `locked`, before anything is removed, where some could not be seen.
  func forget(_ service: AttributeValue, _ request: GitRequest) throws {
    let accounts = try accounts(service, request)
    if accounts.areIncomplete { throw VaultError(.locked) }
    for account in accounts.names {
      let identity = scope.identity(service, account)
      let isRemoved =
        if let password = request.password {
          try remove(identity, ifSecretIs: password)
        } else {
          try store.remove(identity)
        }
      if isRemoved, let refreshService = request.refreshService {
        try store.remove(scope.identity(refreshService, account))
      }
    }
    // The sealed bytes of what was removed are in the log still; readers hinder this, and nobody waits.
    _ = try? store.emptyLog()
  }

  /// The accounts that a request is about, in a stable order.
  private func accounts(
    _ service: AttributeValue,
    _ request: GitRequest
  ) throws -> HelperScope.Accounts {
    if let username = request.username {
      return .init(names: [AttributeValue(name: username)], areIncomplete: false)
    }
    return try scope.accounts(of: service, in: store)
  }

  /// Stores a secret, unless it is there already: git stores a credential after each use of it.
  private func put(_ secret: SecretBytes, _ identity: ItemIdentity, expires: Timestamp?) throws {
    if let item = try store.item(for: identity), item.expires == expires,
      let known = try store.usableSecret(for: identity), known.constantTimeEquals(secret)
    {
      return
    }
    let expiry = expires.map { ItemChanges.Expiry.at($0) } ?? .never
    try store.set(secret, for: identity, changing: ItemChanges(expires: expiry), ifVersion: nil)
  }

  /// Removes an item if it has a secret, and has it still: another process may just be storing a new one.
  private func remove(_ identity: ItemIdentity, ifSecretIs password: SecretBytes) throws -> Bool {
    while let version = try version(of: identity, ifSecretIs: password) {
      do throws(VaultError) {
        return try store.remove(identity, ifVersion: version)
      } catch  where error.code == .conflict {
        // It was changed since it was looked at; look again.
      }
    }
    return false
  }

  /// The version of an item that has a secret, expired or not; `nil` where it has another, or there is none.
  ///
  /// An update that gives up sees item and secret at one moment, and what is not given out any more as well.
  private func version(
    of identity: ItemIdentity,
    ifSecretIs password: SecretBytes
  ) throws -> UInt64? {
    struct NoChange: Error {}
    var version: UInt64?
    do {
      try store.update(identity) { item, secret in
        if secret?.constantTimeEquals(password) == true { version = item.version }
        throw NoChange()
      }
      return nil
    } catch is NoChange {
      return version
    } catch let error as VaultError where error.code == .itemNotFound {
      return nil
    }
  }
}
