import COpenSSL
import TestSupport
import Testing
import VaultCrypto

/// AES-GCM alone does not commit to its key: this ciphertext was made to be valid under three.
@Suite("A ciphertext that is valid under several keys")
struct MultipleKeyTests {
  private static let blob = [UInt8](
    hex: """
      4481f16827506fd0b64d1f730247def49f1679824eba8520c75fdaecabf8f7df
      084efd9f2bc68db11c0c1d30e77d18e0
      """
  )

  private static let openings = [
    ("123456", "dfa2c9595da86d53a8efef417dea09def7bb40745aef4fb09b36169288905d6b"),
    ("password", "d2af04de605d26beff9d41d22906ee8cf6405b1665562726fa9d1111f206e5d1"),
    ("letmein", "124666ef219cc328ff9b18f07eed8a2a2725c17d0e22befa4e0577212e8b1f4f"),
  ]

  @Test("raw GCM opens it under each of the three keys", arguments: openings)
  func rawCipher(password: String, plaintext: String) throws {
    let key = try sha256(password)
    let cipher = try GCM()
    var output = [UInt8](repeating: 0, count: 32)
    var bytes = output.mutableSpan
    try cipher.open(
      Self.blob.span,
      key: key.span,
      nonce: [UInt8](repeating: 0, count: 12).span,
      associatedData: Span(),
      into: &bytes,
      at: 0
    )
    #expect(output == [UInt8](hex: plaintext))
  }

  @Test("a sealed box opens it under none, whatever the commitment before it", arguments: openings)
  func sealedBox(password: String, plaintext: String) throws {
    let key = try sha256(password)
    let salt = [UInt8](repeating: 0, count: 24)
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(throws: CryptoError.commitmentMismatch) {
      try open(zeros + Self.blob, key: key, salt: salt)
    }
    let commitment = try seal([UInt8](hex: plaintext), key: key, salt: salt).prefix(32)
    #expect(throws: CryptoError.authenticationFailed) {
      try open(commitment + Self.blob, key: key, salt: salt)
    }
  }

  /// The keys of the ciphertext are SHA-256 hashes, which the product has no use for.
  private func sha256(_ text: String) throws -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    let bytes = Array(text.utf8)
    let result = unsafe EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha256(), nil)
    try #require(result == 1 && count == 32)
    return digest
  }
}
