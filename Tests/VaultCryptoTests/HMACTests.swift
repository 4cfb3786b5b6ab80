import COpenSSL
import Testing
import VaultCrypto

/// Our HMAC, made of libcrypto's hash, beside libcrypto's own.
@Suite("HMAC")
struct HMACTests {
  @Test(
    "keys of 0 to 300 bytes give what libcrypto's own HMAC gives",
    arguments: [HMAC.Hash.sha256, .sha512]
  )
  func keyLengths(hash: HMAC.Hash) throws {
    for count in 0...300 {
      let key = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
      let message = (0..<(count * 3 % 257)).map { UInt8(truncatingIfNeeded: $0) }
      let hmac = try HMAC(hash, key: key.span)
      let expected = reference(hash, key, message)
      #expect(expected.count == hash.byteCount)
      // The first message needs no begin, and each later one starts from the key alone.
      for round in 0..<3 {
        if round > 0 { try hmac.begin() }
        #expect(try code(hmac, message) == expected, "\(count) bytes, message \(round)")
      }
    }
  }

  @Test("a message that was given up leaves nothing in the next one")
  func abandoned() throws {
    let key = Array("key".utf8)
    let hmac = try HMAC(key: key.span)
    try hmac.update(Array("given up".utf8).span)
    try hmac.begin()
    #expect(try code(hmac, Array("kept".utf8)) == reference(.sha512, key, Array("kept".utf8)))
  }

  private func code(_ hmac: HMAC, _ message: [UInt8]) throws -> [UInt8] {
    var result = [UInt8](repeating: 0, count: hmac.hash.byteCount)
    var output = result.mutableSpan
    try hmac.update(message.span)
    try hmac.finish(into: &output)
    return result
  }

  private func reference(_ hash: HMAC.Hash, _ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 64)
    var count = 0
    let name = hash == .sha256 ? "SHA256" : "SHA512"
    // A null pointer for an empty key would mean that there is none.
    let bytes = key.isEmpty ? [0] : key
    unsafe EVP_Q_mac(
      nil,
      "HMAC",
      nil,
      name,
      nil,
      bytes,
      key.count,
      message,
      message.count,
      &result,
      64,
      &count
    )
    return Array(result.prefix(count))
  }
}
