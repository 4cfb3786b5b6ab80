import TestSupport
import Testing
import VaultCrypto

/// Wycheproof's files for HKDF and HMAC with SHA-512 are not part of the published vectors that these
/// tests read; the cases of RFC 5869 and RFC 4231 stand in for them.
@Suite("HKDF and HMAC")
struct HKDFTests {
  @Test("the SHA-256 cases of RFC 5869, appendix A, come out", arguments: HKDFVector.all)
  func appendixA(vector: HKDFVector) throws {
    var key = [UInt8](repeating: 0, count: 32)
    var keyBytes = key.mutableSpan
    try HKDF.extract(.sha256, salt: vector.salt.span, into: &keyBytes) { hmac throws(CryptoError) in
      try hmac.update(vector.inputKeyMaterial.span)
    }
    #expect(key == vector.pseudorandomKey)
    let hmac = try HMAC(.sha256, key: key.span)
    #expect(try expand(hmac, vector.info, vector.output.count) == vector.output)
  }

  @Test("every length up to 255 blocks is a prefix of the longest, and one byte more is refused")
  func lengths() throws {
    let hmac = try HMAC(key: [UInt8](repeating: 1, count: 32).span)
    let longest = try expand(hmac, [1, 2, 3], 255 * 64)
    for count in [0, 1, 63, 64, 65, 128, 129, 255 * 64 - 1] {
      #expect(try expand(hmac, [1, 2, 3], count) == Array(longest.prefix(count)))
    }
    #expect(throws: CryptoError.invalidLength) { try expand(hmac, [1, 2, 3], 255 * 64 + 1) }
    let short = try HMAC(.sha256, key: [UInt8](repeating: 1, count: 32).span)
    #expect(try expand(short, [], 255 * 32).count == 255 * 32)
    #expect(throws: CryptoError.invalidLength) { try expand(short, [], 255 * 32 + 1) }
  }

  @Test("the last block of the longest output is the HMAC that RFC 5869, 2.3 defines")
  func lastBlock() throws {
    let hmac = try HMAC(key: [UInt8](repeating: 1, count: 32).span)
    let output = try expand(hmac, [9], 255 * 64)
    let previous = Array(output[253 * 64..<254 * 64])
    #expect(try code(hmac, [previous, [9], [255]]) == Array(output.suffix(64)))
  }

  @Test("a context of a mebibyte is accepted")
  func longContext() throws {
    let hmac = try HMAC(key: [UInt8](repeating: 1, count: 32).span)
    let info = [UInt8](repeating: 2, count: 1 << 20)
    #expect(try expand(hmac, info, 64) == (try code(hmac, [info, [1]])))
  }

  @Test("the first case of RFC 4231 comes out, fed whole and byte by byte")
  func hmac() throws {
    let expected = [UInt8](
      hex: """
        87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde
        daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854
        """
    )
    let hmac = try HMAC(key: [UInt8](repeating: 0x0b, count: 20).span)
    let message = Array("Hi There".utf8)
    #expect(try code(hmac, [message]) == expected)
    #expect(try code(hmac, message.map { [$0] }) == expected)
    #expect(try code(hmac, [[], message, []]) == expected)
  }

  @Test("integers are fed big-endian")
  func integers() throws {
    let hmac = try HMAC(key: [1].span)
    try hmac.begin()
    try hmac.update(UInt32(0x0102_0304))
    try hmac.update(UInt16(0x0506))
    try hmac.update(UInt64(7))
    var fed = [UInt8](repeating: 0, count: 64)
    var output = fed.mutableSpan
    try hmac.finish(into: &output)
    #expect(try code(hmac, [[1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 7]]) == fed)
  }

  @Test("an output that a code does not fit into is refused")
  func outputSize() throws {
    let hmac = try HMAC(key: [1].span)
    var output = [UInt8](repeating: 0, count: 70)
    for offset in [-1, 7, 71, Int.max] {
      try hmac.begin()
      #expect(throws: CryptoError.invalidLength) {
        var bytes = output.mutableSpan
        try hmac.finish(into: &bytes, at: offset)
      }
    }
    #expect(output == [UInt8](repeating: 0, count: 70))
  }

  private func expand(_ hmac: HMAC, _ info: [UInt8], _ count: Int) throws(CryptoError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    var bytes = output.mutableSpan
    try HKDF.expand(hmac, info: info.span, into: &bytes)
    return output
  }

  private func code(_ hmac: HMAC, _ parts: [[UInt8]]) throws(CryptoError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: hmac.hash.byteCount)
    var bytes = output.mutableSpan
    try hmac.begin()
    for part in parts { try hmac.update(part.span) }
    try hmac.finish(into: &bytes)
    return output
  }
}

/// A case of RFC 5869, appendix A, with SHA-256.
struct HKDFVector: Sendable {
  let inputKeyMaterial: [UInt8]
  let salt: [UInt8]
  let info: [UInt8]
  let pseudorandomKey: [UInt8]
  let output: [UInt8]

  static let all = [
    HKDFVector(
      inputKeyMaterial: [UInt8](repeating: 0x0b, count: 22),
      salt: Array(0x00...0x0c),
      info: Array(0xf0...0xf9),
      pseudorandomKey: [UInt8](
        hex: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"
      ),
      output: [UInt8](
        hex: """
          3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
          """
      )
    ),
    HKDFVector(
      inputKeyMaterial: Array(0x00...0x4f),
      salt: Array(0x60...0xaf),
      info: Array(0xb0...0xff),
      pseudorandomKey: [UInt8](
        hex: "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244"
      ),
      output: [UInt8](
        hex: """
          b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c6
          5e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
          """
      )
    ),
    HKDFVector(
      inputKeyMaterial: [UInt8](repeating: 0x0b, count: 22),
      salt: [],
      info: [],
      pseudorandomKey: [UInt8](
        hex: "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"
      ),
      output: [UInt8](
        hex: """
          8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
          """
      )
    ),
  ]
}
