public import SecretMemory
import VaultCrypto
import VaultFormat

/// What opens a slot of a vault: a passphrase, a key file or recovery code, or one of each together.
///
/// Where a slot also needs this device's key, the store adds it by itself.
public struct Credential: Sendable {
  /// What stands for the file factor.
  package enum FileFactor: Sendable {
    case keyFile(SecretBytes)
    case recoveryCode(SecretBytes)
  }

  package let passphrase: SecretBytes?
  package let file: FileFactor?
  /// Whether a slot made for this credential also needs this device's key.
  var needsDevice = false

  /// A passphrase of 1 to 1 024 bytes, used as they are.
  public static func passphrase(_ passphrase: SecretBytes) -> Credential {
    Credential(passphrase: passphrase, file: nil)
  }

  /// The contents of a key file: its one line.
  public static func keyFile(contents: SecretBytes) -> Credential {
    Credential(passphrase: nil, file: .keyFile(contents))
  }

  /// A key file of the calling user that is closed to everyone else.
  ///
  /// - Throws: ``VaultError`` with the code `insecureFile` where its kind, owner or mode is wrong, or
  ///   `inputOutput` where it cannot be read.
  public static func keyFile(
    at path: String,
    allowsForeignOwner: Bool = false
  ) throws(VaultError) -> Credential {
    .keyFile(
      contents: try PrivateFile.read(
        path,
        maximumByteCount: KeyFile.lineByteCount,
        allowsForeignOwner: allowsForeignOwner
      )
    )
  }

  /// The text of a recovery code.
  public static func recoveryCode(_ text: SecretBytes) -> Credential {
    Credential(passphrase: nil, file: .recoveryCode(text))
  }

  /// A passphrase and the contents of a key file, for a slot that needs both.
  public static func passphrase(
    _ passphrase: SecretBytes,
    keyFileContents contents: SecretBytes
  ) -> Credential {
    Credential(passphrase: passphrase, file: .keyFile(contents))
  }

  /// The same credential, for making a slot that also needs this device's key.
  public var boundToDevice: Credential {
    var bound = self
    bound.needsDevice = true
    return bound
  }

  var factors: Factors {
    var factors: Factors = []
    if passphrase != nil { factors.insert(.passphrase) }
    if file != nil { factors.insert(.keyFile) }
    if needsDevice { factors.insert(.device) }
    return factors
  }

  /// Throws where a part is malformed, before the vault is touched.
  func validate() throws(VaultError) {
    guard passphrase != nil || file != nil else {
      throw VaultError(.invalidArgument, "no passphrase and no key given; give one")
    }
    if let passphrase, !Limits.passphraseByteCounts.contains(passphrase.count) {
      throw VaultError(
        .invalidArgument,
        "a passphrase has 1 to 1024 bytes; choose another"
      )
    }
    _ = try fileKey()
  }

  /// The key in the key file or recovery code, or `nil` where the credential has none.
  ///
  /// - Throws: ``VaultError`` with the code `invalidArgument` for a typing error or a damaged file.
  func fileKey() throws(VaultError) -> Key<Role.File>? {
    switch file {
    case .none: return nil
    case .keyFile(let contents): return try KeyText.fileKey(contents)
    case .recoveryCode(let text): return try KeyText.recoveryKey(text)
    }
  }
}
