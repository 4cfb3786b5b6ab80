import SecretVault

/// Why a run ended early.
enum BenchmarkError: Error {
  /// A system call failed with an error number.
  case system(_ call: String, number: Int32)
  /// SQLite answered with a code.
  case database(Int32)
  /// libcrypto refused.
  case cryptography
  /// The vault failed.
  case vault(VaultError)
  /// No memory could be had for a secret.
  case memory
  /// Something was read that was not written, or not found though it was.
  case wrongResult(String)
  /// A child process ended with a status other than 0.
  case child(status: Int32)

  /// One line for a person.
  var message: String {
    switch self {
    case .system(let call, let number): "\(call) failed with error number \(number)"
    case .database(let code): "SQLite answered \(code)"
    case .cryptography: "libcrypto refused"
    case .vault(let error): "the vault failed: \(error)"
    case .memory: "no memory could be had for a secret"
    case .wrongResult(let what): "wrong result: \(what)"
    case .child(let status): "a child process ended with status \(status)"
    }
  }
}
