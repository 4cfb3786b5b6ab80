import Foundation
import SecretVault

/// A file with one factor of a credential.
struct CredentialFile: Sendable {
  let path: String
  let isKey: Bool

  /// A key file is one line; a passphrase has at most 1 024 bytes, and a line end.
  private static let largestByteCount = 4096

  var ifExists: CredentialFile? { FileManager.default.fileExists(atPath: path) ? self : nil }

  /// Reads the file, of a passphrase without the newline at the end.
  fileprivate func read() throws(VaultError) -> SecretBytes {
    let contents = try SecretBytes(
      contentsOfPrivateFile: path,
      maximumByteCount: Self.largestByteCount
    )
    return isKey ? contents : try contents.withoutFinalNewline()
  }
}

/// What a vault is opened with, read anew each time.
enum CredentialSource: Sendable {
  case single(CredentialFile)
  case pair(key: CredentialFile, passphrase: CredentialFile)

  func read() throws(VaultError) -> Credential {
    switch self {
    case .single(let file):
      let secret = try file.read()
      return file.isKey ? .keyFile(contents: secret) : .passphrase(secret)
    case .pair(let key, let passphrase):
      return .passphrase(try passphrase.read(), keyFileContents: try key.read())
    }
  }
}

extension SecretBytes {
  fileprivate func withoutFinalNewline() throws(VaultError) -> SecretBytes {
    let kept = withBytes { bytes in
      bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\n")
        ? bytes.count - 1 : bytes.count
    }
    return try translatingErrors { () throws(any Error) in
      try SecretBytes(count: kept) { target in
        withBytes { bytes in for index in target.indices { target[index] = bytes[index] } }
      }
    }
  }
}
