import SecretVault
import VaultAgent

/// A vault, and what opens it.
struct VaultAccess {
  let location: VaultLocation
  private let sources: [CredentialSource]

  /// Finds the vault and the sources of credentials; nothing is opened or read yet.
  ///
  /// - Throws: A usage failure.
  init(_ arguments: ParsedArguments) throws(Failure) {
    location = try VaultLocation(arguments)
    sources = try CredentialSource.options(arguments) + CredentialSource.variables()
  }

  /// Finds who holds the keys, or opens and unlocks the vault, for a piece of work with its items.
  ///
  /// Where nothing that opens the vault was named and an agent runs, its answer is final.
  func withItems<R>(_ console: Console, _ body: (any ItemStore) throws -> R) throws -> R {
    if sources.isEmpty, let store = try location.agentStore() {
      do {
        return try body(store)
      } catch let error as VaultError where error.code == .locked {
        // What is wrong with the file comes before what is wrong with the item.
        try location.open().close()
        throw error
      }
    }
    return try withStore(console, body)
  }

  /// Opens and unlocks the vault in this process, with a credential of its own whoever else holds the keys.
  func withStore<R>(_ console: Console, _ body: (SecretStore) throws -> R) throws -> R {
    try withOpenStore(console) { store in
      try withCredential(console) { credential in try store.unlock(with: credential) }
      return try body(store)
    }
  }

  /// Lets the agent open the vault, starting one where none runs, and returns how it is locked then.
  ///
  /// A vault that is unlocked already is left as it is, unless what opens it was named. Of several commands that wait
  /// for a passphrase one asks.
  func unlockInAgent(_ limits: AgentLimits, _ console: Console) throws -> AgentStatus {
    // What is wrong with the file is told before a question is asked.
    try location.open().close()
    let options = location.options.allowsUnlockedMemory ? [Option.allowUnlockedMemory.name] : []
    var agent = try AgentProcess.connect(startingWith: options) { try requireAnswers(console) }
    var isUnlocked = false
    if sources.isEmpty {
      isUnlocked = try agent.status(ofVaultAt: location.path).state == .unlocked
      if !isUnlocked {
        try requireAnswers(console)
        isUnlocked = try !agent.waitForTurn(toUnlockVaultAt: location.path)
      }
    }
    if !isUnlocked {
      try withCredential(console) { credential in
        // Where it comes from can be slow, and without a turn to ask an idle connection does not last.
        if !sources.isEmpty { agent = try AgentProcess.connect(startingWith: options) }
        try agent.unlock(
          vaultAt: location.path,
          with: credential,
          options: location.options,
          limits: limits
        )
      }
    } else if !limits.isEmpty {
      console.note("the vault is unlocked already; lock it first to give it other limits")
    }
    return try agent.status(ofVaultAt: location.path)
  }

  /// Opens the vault for changes of its slots and for checks.
  func withAdministration<R>(
    _ console: Console,
    _ body: (VaultAdministration) throws -> R
  ) throws -> R {
    try withOpenStore(console) { store in
      try body(withCredential(console) { try store.administration(with: $0) })
    }
  }

  /// Takes the vault as it is, whatever this machine remembers of it, and opens it for checks.
  ///
  /// The closure also gets what was done where the file had older keys, or `nil`.
  func withAcceptedAdministration<R>(
    _ console: Console,
    _ body: (VaultAdministration, RotationReport?) throws -> R
  ) throws -> R {
    try withOpenStore(console) { store in
      let (administration, rotation) = try withCredential(console) { credential in
        let rotation = try store.acceptRestore(with: credential)
        return (try store.administration(with: credential), rotation)
      }
      return try body(administration, rotation)
    }
  }

  /// Replaces the contents of the vault by those of a backup, with a credential that opens the backup.
  ///
  /// - Throws: A failure that names the backup where it is to blame.
  func restore(from backup: String, _ console: Console) throws -> RestoreReport {
    try withOpenStore(console) { store in
      try withCredential(console) { credential in try store.restore(from: backup, with: credential)
      }
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

  /// Asks the program that is named for that, else at the terminal.
  private func ask(_ console: Console) throws -> Credential {
    let question = "Passphrase for \(location.shownPath): "
    let answer: SecretBytes
    if let askpass = try Askpass.wanted() {
      answer = try askpass.ask(question)
    } else {
      guard let terminal = console.terminal else { throw Failure.passphraseNeeded }
      answer = try terminal.ask(question)
    }
    return .passphrase(try CredentialSource.passphrase(answer))
  }

  /// Throws where nothing that opens the vault was named and there is nobody to ask.
  private func requireAnswers(_ console: Console) throws {
    if sources.isEmpty, try Askpass.wanted() == nil, console.terminal == nil {
      throw Failure.passphraseNeeded
    }
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
