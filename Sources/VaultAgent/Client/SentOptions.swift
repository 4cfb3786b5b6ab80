import Glibc
import SecretVault

// How a caller's credential and options become what travels.

extension SentCredential {
  /// Takes the parts of a credential.
  ///
  /// - Throws: `VaultError` with the code `invalidArgument` for a combination that no slot has.
  init(_ credential: Credential) throws(VaultError) {
    switch (credential.passphrase, credential.file) {
    case (let passphrase?, nil): self = .passphrase(passphrase)
    case (nil, .keyFile(let contents)): self = .keyFile(contents)
    case (nil, .recoveryCode(let text)): self = .recoveryCode(text)
    case (let passphrase?, .keyFile(let contents)):
      self = .passphraseAndKeyFile(passphrase, contents)
    default:
      throw VaultError(.invalidArgument, "the agent does not take this combination; give one part")
    }
  }
}

extension UnlockRequest {
  /// Takes what concerns the opening of the vault; the agent has another working directory than this process.
  ///
  /// - Throws: `VaultError` with the code `inputOutput` where this one cannot be told.
  mutating func take(_ options: SecretStore.Options) throws(VaultError) {
    stateDirectory = try options.stateDirectory.map { path throws(VaultError) in
      try Self.absolute(path)
    }
    allowsForeignOwner = options.allowsForeignOwner
    slot = options.slot
    kdfLimit = options.kdfLimit.map { UInt8(clamping: $0) }
    requiresAnchor = options.requiresAnchor
    sharedWith = options.sharedWith?.number
  }

  private static func absolute(_ path: String) throws(VaultError) -> String {
    if path.hasPrefix("/") { return path }
    guard let current = unsafe getcwd(nil, 0) else {
      throw VaultError(.inputOutput, "the working directory cannot be told; name an absolute path")
    }
    defer { unsafe free(current) }
    return unsafe String(cString: current) + "/" + path
  }
}
