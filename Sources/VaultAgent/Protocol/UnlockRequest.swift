package import SecretMemory
package import SecretVault

/// What opens a vault, as it travels to the agent.
package enum SentCredential: Sendable {
  /// A passphrase.
  case passphrase(SecretBytes)
  /// The contents of a key file.
  case keyFile(SecretBytes)
  /// The text of a recovery code.
  case recoveryCode(SecretBytes)
  /// A passphrase and the contents of a key file, for a slot that needs both.
  case passphraseAndKeyFile(SecretBytes, SecretBytes)

  /// The credential that the store takes.
  package var credential: Credential {
    switch self {
    case .passphrase(let passphrase): .passphrase(passphrase)
    case .keyFile(let contents): .keyFile(contents: contents)
    case .recoveryCode(let text): .recoveryCode(text)
    case .passphraseAndKeyFile(let passphrase, let contents):
      .passphrase(passphrase, keyFileContents: contents)
    }
  }
}

extension SentCredential: CustomStringConvertible, CustomReflectable {
  /// The type's name, and nothing of the credential.
  package var description: String { "SentCredential" }

  /// No children, so that a dump shows nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// How the agent is to open a vault, and for how long.
package struct UnlockRequest: Sendable {
  /// The vault.
  package var path: VaultPath
  /// The folder of anchors and device key, an absolute path; `nil` for the agent's own.
  package var stateDirectory: String?
  /// Accepts files of another user.
  package var allowsForeignOwner = false
  /// Tries only the slot of this name.
  package var slot: String?
  /// The most that the passphrase slots may cost together.
  package var kdfLimit: UInt8?
  /// Refuses a vault that was never seen on this machine.
  package var requiresAnchor = false
  /// The number of the Unix group that shares the vault, or `nil` for a vault of one user.
  package var sharedWith: UInt32?
  /// After how many seconds without use the vault locks; 0 for never, `nil` for what the agent was started with.
  package var idleSeconds: UInt32?
  /// How many seconds after the unlock all keys go; 0 for never, `nil` for what the agent was started with.
  package var lifetimeSeconds: UInt32?
  /// What opens the vault.
  package var credential: SentCredential

  /// Asks for a vault to be opened in the standard way.
  package init(path: VaultPath, credential: SentCredential) {
    self.path = path
    self.credential = credential
  }

  /// How the store is to be opened.
  package var options: SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = stateDirectory
    options.allowsForeignOwner = allowsForeignOwner
    options.slot = slot
    options.kdfLimit = kdfLimit.map(Int.init)
    options.requiresAnchor = requiresAnchor
    options.sharedWith = sharedWith.map { UnixGroup(number: $0) }
    return options
  }
}

extension UnlockRequest: CustomStringConvertible, CustomReflectable {
  /// The type's name, and nothing of the credential.
  package var description: String { "UnlockRequest" }

  /// No children, so that a dump shows nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension OutgoingMessage {
  mutating func append(_ request: UnlockRequest) {
    append(request.path)
    append(request.stateDirectory) { $0.append($1) }
    append(request.allowsForeignOwner)
    append(request.slot) { $0.append($1) }
    append(request.kdfLimit) { $0.append($1) }
    append(request.requiresAnchor)
    append(request.idleSeconds) { $0.append($1) }
    append(request.lifetimeSeconds) { $0.append($1) }
    append(request.credential)
    // Added to version 1 later: who does not need it sends what older agents read.
    if let sharedWith = request.sharedWith { append(sharedWith) }
  }

  private mutating func append(_ credential: SentCredential) {
    switch credential {
    case .passphrase(let passphrase):
      append(1 as UInt8)
      append(passphrase)
    case .keyFile(let contents):
      append(2 as UInt8)
      append(contents)
    case .recoveryCode(let text):
      append(3 as UInt8)
      append(text)
    case .passphraseAndKeyFile(let passphrase, let contents):
      append(4 as UInt8)
      append(passphrase)
      append(contents)
    }
  }
}

extension MessageReader {
  mutating func unlockRequest() throws(MalformedMessage) -> UnlockRequest {
    let path = try vaultPath()
    let stateDirectory = try optional { reader throws(MalformedMessage) in try reader.text() }
    let allowsForeignOwner = try flag()
    let slot = try optional { reader throws(MalformedMessage) in try reader.text() }
    let kdfLimit: UInt8? = try optional { reader throws(MalformedMessage) in try reader.integer() }
    let requiresAnchor = try flag()
    let idle: UInt32? = try optional { reader throws(MalformedMessage) in try reader.integer() }
    let lifetime: UInt32? = try optional { reader throws(MalformedMessage) in try reader.integer() }
    var request = UnlockRequest(path: path, credential: try credential())
    request.stateDirectory = stateDirectory
    request.allowsForeignOwner = allowsForeignOwner
    request.slot = slot
    request.kdfLimit = kdfLimit
    request.requiresAnchor = requiresAnchor
    request.idleSeconds = idle
    request.lifetimeSeconds = lifetime
    if !isAtEnd { request.sharedWith = try integer() }
    return request
  }

  private mutating func credential() throws(MalformedMessage) -> SentCredential {
    switch try integer(as: UInt8.self) {
    case 1: .passphrase(try secret())
    case 2: .keyFile(try secret())
    case 3: .recoveryCode(try secret())
    case 4: .passphraseAndKeyFile(try secret(), try secret())
    default: throw MalformedMessage()
    }
  }
}
