import SecretVault

/// The credentials of docker in a store: one account under a service named for the server.
struct DockerCredentials {
  private static let prefix = "docker:"

  let store: any ItemStore
  let scope: HelperScope

  /// Finds the credential of a server; `nil` where none is known.
  ///
  /// - Throws: `locked` where it could be there, a failure where it is no text, and whatever the store throws.
  func find(_ server: String) throws -> DockerCredential? {
    let service = Self.service(of: server)
    let accounts = try scope.accounts(of: service, in: store)
    for account in accounts.names {
      guard let secret = try store.usableSecret(for: scope.identity(service, account))
      else { continue }
      let isText = secret.withBytes { bytes in (try? UTF8Span(validating: bytes)) != nil }
      guard isText, let username = account.text else {
        throw Failure.usage("the credential is no UTF-8; docker cannot take it")
      }
      return DockerCredential(server: server, username: username, secret: secret)
    }
    if accounts.areIncomplete { throw VaultError(.locked) }
    return nil
  }

  /// Stores a credential, in place of any other of its server.
  func keep(_ credential: DockerCredential) throws {
    let service = Self.service(of: credential.server)
    let account = AttributeValue(credential.username)
    let others = try completeAccounts(of: service).filter { $0 != account }
    try store.set(
      credential.secret,
      for: scope.identity(service, account),
      changing: ItemChanges(expires: .never),
      ifVersion: nil
    )
    for other in others { try store.remove(scope.identity(service, other)) }
  }

  /// Removes the credential of a server; that there is none is no failure.
  func forget(_ server: String) throws {
    let service = Self.service(of: server)
    for account in try completeAccounts(of: service) {
      try store.remove(scope.identity(service, account))
    }
    // The sealed bytes of what was removed are in the log still; readers hinder this, and nobody waits.
    _ = try? store.emptyLog()
  }

  /// The servers with their users, sorted; a server is named once.
  ///
  /// - Throws: `locked` where some cannot be seen.
  func users() throws -> [(server: String, username: String)] {
    let listing = try scope.items(in: store)
    if listing.lockedCount > 0 { throw VaultError(.locked) }
    // By bytes: texts that Unicode takes for equal are different servers.
    var users: [[UInt8]: String] = [:]
    for item in listing.items where !item.hasNoSecret && !(item.expires.map { $0 <= .now } ?? false)
    {
      guard let service = item.identity.service.text, service.hasPrefix(Self.prefix),
        let username = item.identity.account.text
      else { continue }
      let server = Array(service.utf8.dropFirst(Self.prefix.utf8.count))
      users[server] = min(username, users[server] ?? username)
    }
    return users.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
  }

  /// The accounts of a server.
  ///
  /// - Throws: `locked` where some cannot be seen.
  private func completeAccounts(of service: AttributeValue) throws -> [AttributeValue] {
    let accounts = try scope.accounts(of: service, in: store)
    if accounts.areIncomplete { throw VaultError(.locked) }
    return accounts.names
  }

  private static func service(of server: String) -> AttributeValue {
    AttributeValue(prefix + server)
  }
}
