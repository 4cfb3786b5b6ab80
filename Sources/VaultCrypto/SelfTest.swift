/// Known answers, computed once before the first key is used.
///
/// A libcrypto that is broken, or was replaced by one that is, must not seal anything.
package enum SelfTest {
  /// Throws ``CryptoError/unavailable`` unless every known answer came out.
  package static func requirePassed() throws(CryptoError) {
    guard hasPassed else { throw .unavailable }
  }

  private static let hasPassed = passes()

  /// Runs the known answers; `damage` lets a test flip a bit of what was computed.
  package static func passes(damage: (inout [UInt8]) -> Void = { _ in }) -> Bool {
    do {
      var box = try sealedBox()
      damage(&box)
      guard box == expectedBox else { return false }
      var lookup = try self.lookup()
      damage(&lookup)
      guard lookup == expectedLookup else { return false }
      var keyMaterial = try keyMaterial()
      damage(&keyMaterial)
      return keyMaterial == expectedKeyMaterial
    } catch {
      return false
    }
  }

  /// Wycheproof, chunked encryption, test 2; then opened again.
  private static func sealedBox() throws(CryptoError) -> [UInt8] {
    let key = try HMAC(key: Array("YELLOW SUBMARINE YELLOW SUBMARIN".utf8).span)
    let cipher = try GCM()
    let message = Array("chunked".utf8)
    let box = try SealedBox.seal(
      message.span,
      with: key,
      salt: expectedSalt.span,
      context: Span(),
      using: cipher
    )
    var opened = [UInt8](repeating: 0, count: message.count)
    var output = opened.mutableSpan
    let count = try SealedBox.open(
      box.span,
      with: key,
      salt: expectedSalt.span,
      context: Span(),
      using: cipher,
      into: &output
    )
    guard count == message.count, opened == message else { throw .unavailable }
    return expectedSalt + box
  }

  /// A lookup of the format's own vectors.
  ///
  /// Its keys are published, so they need no locked memory, and a lack of it fails no self-test.
  private static func lookup() throws(CryptoError) -> [UInt8] {
    let group = try Expander(key: Array(UInt8(0x40)...0x5f).span)
    let index = try group.expand(.index)
    let lookup = try Expander(key: index.span).expand(.lookup) { hmac throws(CryptoError) in
      try hmac.update([1, 0, 0, 0, 0, 15].span)
      try hmac.update(Array("com.example.api".utf8).span)
      try hmac.update([0, 0, 0, 16].span)
      try hmac.update(Array("zo\u{eb}@example.org".utf8).span)
    }
    return lookup.indices.map { lookup[$0] }
  }

  /// RFC 5869, A.1.
  private static func keyMaterial() throws(CryptoError) -> [UInt8] {
    var pseudorandomKey = [UInt8](repeating: 0, count: 32)
    var keyBytes = pseudorandomKey.mutableSpan
    try HKDF.extract(.sha256, salt: Array(UInt8(0)...12).span, into: &keyBytes) {
      hmac throws(CryptoError) in
      try hmac.update([UInt8](repeating: 0x0b, count: 22).span)
    }
    var material = [UInt8](repeating: 0, count: 42)
    var output = material.mutableSpan
    let hmac = try HMAC(.sha256, key: pseudorandomKey.span)
    try HKDF.expand(hmac, info: Array(UInt8(0xf0)...0xf9).span, into: &output)
    return material
  }

  private static let expectedBox: [UInt8] = [
    0xa1, 0xa1, 0xb5, 0x6f, 0x6d, 0xb5, 0x8c, 0xd1, 0xed, 0xe0, 0xc5, 0xc9,
    0xdb, 0x62, 0xae, 0xf2, 0x0d, 0x3f, 0x96, 0xa6, 0xc5, 0x94, 0xbb, 0x92,
    0x52, 0xbb, 0x38, 0x12, 0x2d, 0xe9, 0x12, 0x36, 0x50, 0x2b, 0x42, 0xa1,
    0xd7, 0xfc, 0xab, 0x82, 0x0f, 0xfa, 0x29, 0x29, 0x40, 0xd2, 0xf8, 0x6a,
    0xdd, 0x21, 0x2c, 0xfa, 0x42, 0xc3, 0x8d, 0xf1, 0x9d, 0x3c, 0xc9, 0x13,
    0x9e, 0xe6, 0x1a, 0x59, 0x90, 0xd3, 0xdb, 0x57, 0x43, 0x35, 0x14, 0x22,
    0x9b, 0xee, 0xa4, 0x9a, 0x8a, 0x72, 0xbd,
  ]

  private static let expectedSalt = Array(expectedBox.prefix(SealedBox.saltByteCount))

  private static let expectedLookup: [UInt8] = [
    0x34, 0x0c, 0x5d, 0x94, 0xcf, 0x87, 0x97, 0x69, 0x65, 0x79, 0x6c, 0x5a,
    0xa6, 0xc2, 0x0f, 0xc2, 0xb2, 0x20, 0x5b, 0x1b, 0x7a, 0x7f, 0x83, 0xab,
    0xb2, 0x47, 0xeb, 0x40, 0x0e, 0x8b, 0xa4, 0xe4,
  ]

  private static let expectedKeyMaterial: [UInt8] = [
    0x3c, 0xb2, 0x5f, 0x25, 0xfa, 0xac, 0xd5, 0x7a, 0x90, 0x43, 0x4f, 0x64,
    0xd0, 0x36, 0x2f, 0x2a, 0x2d, 0x2d, 0x0a, 0x90, 0xcf, 0x1a, 0x5a, 0x4c,
    0x5d, 0xb0, 0x2d, 0x56, 0xec, 0xc4, 0xc5, 0xbf, 0x34, 0x00, 0x72, 0x08,
    0xd5, 0xb8, 0x87, 0x18, 0x58, 0x65,
  ]
}
