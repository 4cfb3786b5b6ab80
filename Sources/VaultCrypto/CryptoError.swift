package import SecretMemory

/// Why a cryptographic operation gave no result.
///
/// It says nothing about keys or data. Which part of a box failed is told apart for slots only, where
/// a wrong passphrase is an everyday event.
package enum CryptoError: Error, Hashable, Sendable {
  /// The commitment of a box does not match the key and the context; nothing was decrypted.
  case commitmentMismatch
  /// The commitment matches, but the ciphertext fails authentication or has an impossible length.
  case authenticationFailed
  /// libcrypto lacks an algorithm, failed, or gave a wrong answer in the self-test.
  case unavailable
  /// No memory for a key or a secret.
  case memory(SecretMemoryError.Code)
  /// An input has a length that the construction does not take.
  case invalidLength

  package init(_ error: SecretMemoryError) { self = .memory(error.code) }
}

/// Runs `body` and turns a memory error into a ``CryptoError``.
package func withCryptoErrors<Result: ~Copyable>(
  _ body: () throws(SecretMemoryError) -> Result
) throws(CryptoError) -> Result {
  do { return try body() } catch { throw CryptoError(error) }
}
