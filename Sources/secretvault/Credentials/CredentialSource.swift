import Glibc
import SecretVault

/// A place to read one factor of a credential from.
enum CredentialSource {
  case keyFile(String)
  case passphraseFile(String)
  case passphraseDescriptor(Descriptor)
  case recoveryCodeDescriptor(Descriptor)

  /// What kind of thing is read there.
  enum Factor: Hashable {
    case key
    case passphrase
    case recoveryCode
  }

  var factor: Factor {
    switch self {
    case .keyFile: .key
    case .passphraseFile, .passphraseDescriptor: .passphrase
    case .recoveryCodeDescriptor: .recoveryCode
    }
  }

  /// Whether the other source is of the other factor of a slot that needs a passphrase and a key.
  func complements(_ other: CredentialSource) -> Bool {
    switch (factor, other.factor) {
    case (.key, .passphrase), (.passphrase, .key): true
    default: false
    }
  }

  /// Reads it; of a passphrase one newline at the end is dropped.
  ///
  /// - Throws: A failure: an unreadable or insecure file, an empty passphrase (usage).
  func read(allowsForeignOwner: Bool) throws -> SecretBytes {
    let secret =
      switch self {
      case .keyFile(let path), .passphraseFile(let path):
        try Self.contents(of: path, allowsForeignOwner: allowsForeignOwner)
      case .passphraseDescriptor(let descriptor), .recoveryCodeDescriptor(let descriptor):
        try SecretReader.read(
          descriptor,
          limit: SecretReader.credentialLimit,
          name: "descriptor \(descriptor.number)"
        )
      }
    return factor == .passphrase ? try Self.passphrase(secret.droppingTrailingNewline()) : secret
  }

  /// Reads a file that only the user can reach, and names it in failures.
  private static func contents(
    of path: String,
    allowsForeignOwner: Bool
  ) throws(Failure) -> SecretBytes {
    do throws(VaultError) {
      return try SecretBytes(
        contentsOfPrivateFile: path,
        maximumByteCount: SecretReader.credentialLimit,
        allowsForeignOwner: allowsForeignOwner
      )
    } catch {
      throw Failure(error).prefixed(with: TextEscaping.escaped(path))
    }
  }

  /// A passphrase as it was read or typed.
  ///
  /// - Throws: A usage failure for an empty one.
  static func passphrase(_ secret: SecretBytes) throws -> SecretBytes {
    if secret.isEmpty { throw Failure.usage("the passphrase is empty; give one of a byte or more") }
    return secret
  }
}

extension CredentialSource {
  /// The sources that options name, in the order of precedence.
  ///
  /// - Throws: A usage failure for a descriptor that cannot be read.
  static func options(_ arguments: ParsedArguments) throws(Failure) -> [CredentialSource] {
    let passphrase = try DescriptorOptions.descriptor(.passphraseDescriptor, in: arguments)
    let recoveryCode = try DescriptorOptions.descriptor(.recoveryCodeDescriptor, in: arguments)
    let sources: [CredentialSource?] = [
      arguments.value(of: .keyFile).map { .keyFile($0) },
      passphrase.map { .passphraseDescriptor($0) },
      arguments.value(of: .passphraseFile).map { .passphraseFile($0) },
      recoveryCode.map { .recoveryCodeDescriptor($0) },
    ]
    return sources.compactMap(\.self)
  }

  /// The sources that variables name, in the order of precedence, and the credentials of a service.
  ///
  /// - Throws: A usage failure for a variable that is no UTF-8.
  static func variables() throws(Failure) -> [CredentialSource] {
    let folder = try ProcessEnvironment.value(of: "CREDENTIALS_DIRECTORY")
    let sources: [CredentialSource?] = [
      try ProcessEnvironment.value(of: "SECRETVAULT_KEY_FILE").map { .keyFile($0) },
      try ProcessEnvironment.value(of: "SECRETVAULT_PASSPHRASE_FILE").map { .passphraseFile($0) },
      existing("secretvault.key", in: folder).map { .keyFile($0) },
      existing("secretvault.passphrase", in: folder).map { .passphraseFile($0) },
    ]
    return sources.compactMap(\.self)
  }

  private static func existing(_ name: String, in folder: String?) -> String? {
    guard let path = folder.map({ $0 + "/" + name }) else { return nil }
    return unsafe access(path, F_OK) == 0 ? path : nil
  }
}
