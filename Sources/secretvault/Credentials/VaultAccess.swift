import SecretVault

/// A vault, and what opens it.
struct VaultAccess {
  private let location: VaultLocation
  private let sources: [CredentialSource]

  /// Finds the vault and the sources of credentials; nothing is opened or read yet.
  ///
  /// - Throws: A usage failure.
  init(_ arguments: ParsedArguments) throws(Failure) {
    location = try VaultLocation(arguments)
    sources = try CredentialSource.options(arguments) + CredentialSource.variables()
  }

  /// Finds who holds the keys, or opens and unlocks the vault, for a piece of work with its items.
  func withItems<R>(_ console: Console, _ body: (any ItemStore) throws -> R) throws -> R {
    try withOpenStore(console) { store in
      try withCredential(console) { credential in try store.unlock(with: credential) }
      return try body(store)
    }
  }

  /// Opens the vault for changes of its slots and for checks.
  ///
  /// With `acceptsRestore` the vault is first taken as it is, whatever this machine remembers of it.
  func withAdministration<R>(
    _ console: Console,
    acceptsRestore: Bool = false,
    _ body: (VaultAdministration) throws -> R
  ) throws -> R {
    try withOpenStore(console) { store in
      let administration = try withCredential(console) { credential in
        if acceptsRestore { try store.acceptRestore(with: credential) }
        return try store.administration(with: credential)
      }
      return try body(administration)
    }
  }

  /// Closes the vault in every case, which also empties its log, and passes its notices on.
  private func withOpenStore<R>(
    _ console: Console,
    _ body: (SecretStore) throws -> R
  ) throws -> R {
    let store = try location.open()
    let result: R
    do {
      result = try body(store)
    } catch {
      store.close()
      throw error
    }
    store.close()
    for notice in store.takeNotices() { console.note(notice.message) }
    return result
  }

  /// Uses the first source that is given.
  ///
  /// Where it does not open the vault, it is tried together with the first source of the other factor, for
  /// a slot that needs both.
  private func withCredential<R>(
    _ console: Console,
    _ use: (Credential) throws -> R
  ) throws -> R {
    guard let first = sources.first else { return try use(ask(console)) }
    let secret = try read(first)
    do {
      return try use(Self.credential(first.factor, secret))
    } catch let rejection as VaultError where rejection.code == .credentialRejected {
      guard let partner = sources.first(where: { $0.complements(first) }) else { throw rejection }
      let other = try read(partner)
      let isKey = first.factor == .key
      return try use(.passphrase(isKey ? other : secret, keyFileContents: isKey ? secret : other))
    }
  }

  private func read(_ source: CredentialSource) throws -> SecretBytes {
    try source.read(allowsForeignOwner: location.options.allowsForeignOwner)
  }

  private func ask(_ console: Console) throws -> Credential {
    guard let terminal = console.terminal else { throw Failure.passphraseNeeded }
    let answer = try terminal.ask("Passphrase for \(location.shownPath): ")
    return .passphrase(try CredentialSource.passphrase(answer))
  }

  private static func credential(
    _ factor: CredentialSource.Factor,
    _ secret: SecretBytes
  ) -> Credential {
    switch factor {
    case .key: .keyFile(contents: secret)
    case .passphrase: .passphrase(secret)
    case .recoveryCode: .recoveryCode(secret)
    }
  }
}
