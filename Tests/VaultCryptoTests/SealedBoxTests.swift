import TestSupport
import Testing
import VaultCrypto

@Suite("Sealed boxes")
struct SealedBoxTests {
  private static let key = [UInt8](repeating: 7, count: 32)
  private static let salt = [UInt8](repeating: 9, count: 24)
  private static let context = Array("context".utf8)

  private func box(_ count: Int) throws -> (plaintext: [UInt8], box: [UInt8]) {
    let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let box = try seal(plaintext, key: Self.key, salt: Self.salt, context: Self.context)
    return (plaintext, box)
  }

  private func open(_ box: [UInt8]) throws(CryptoError) -> [UInt8] {
    try VaultCryptoTests.open(box, key: Self.key, salt: Self.salt, context: Self.context)
  }

  @Test(
    "a box opens to what was sealed and has the size that was foretold",
    arguments: [0, 1, 64, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769, 1_048_576]
  )
  func roundTrip(count: Int) throws {
    let (plaintext, box) = try box(count)
    #expect(box.count == SealedBox.byteCount(plaintextCount: count))
    #expect(SealedBox.plaintextByteCount(boxCount: box.count) == count)
    #expect(try open(box) == plaintext)
  }

  @Test("sizes that no box can have are known")
  func impossibleSizes() {
    for count in -1..<48 { #expect(SealedBox.plaintextByteCount(boxCount: count) == nil) }
    #expect(SealedBox.plaintextByteCount(boxCount: 48) == 0)
    let fullChunk = 32 + 16_400
    #expect(SealedBox.plaintextByteCount(boxCount: fullChunk - 1) == 16_383)
    for rest in 0..<16 { #expect(SealedBox.plaintextByteCount(boxCount: fullChunk + rest) == nil) }
    #expect(SealedBox.plaintextByteCount(boxCount: fullChunk + 16) == 16_384)
  }

  @Test("the number of a chunk goes into its nonce big-endian, beyond the first 256 chunks too")
  func chunkNumbers() throws {
    let box = try box(257 * 16_384 + 3).box
    var material = [UInt8](repeating: 0, count: 44)
    var output = material.mutableSpan
    let domain = Array("c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0".utf8)
    let key = try HMAC(key: Self.key.span)
    try HKDF.expand(key, info: (domain + Self.salt + Self.context).span, into: &output)
    for number in [0, 1, 255, 256, 257] {
      var nonce = Array(material[32..<44])
      nonce[11] ^= UInt8(number % 256)
      nonce[10] ^= UInt8(number / 256)
      let start = 32 + number * 16_400
      var plaintext = [UInt8](repeating: 0, count: 16_384)
      var bytes = plaintext.mutableSpan
      try GCM().open(
        Array(box[start..<min(start + 16_400, box.count)]).span,
        key: Array(material[..<32]).span,
        nonce: nonce.span,
        associatedData: Span(),
        into: &bytes,
        at: 0
      )
    }
  }

  @Test("a context of a mebibyte is bound like a short one")
  func longContext() throws {
    var context = [UInt8](repeating: 1, count: 1 << 20)
    let box = try seal([1, 2, 3], key: Self.key, salt: Self.salt, context: context)
    let opened = try VaultCryptoTests.open(box, key: Self.key, salt: Self.salt, context: context)
    #expect(opened == [1, 2, 3])
    context[1 << 19] ^= 1
    #expect(throws: CryptoError.commitmentMismatch) {
      try VaultCryptoTests.open(box, key: Self.key, salt: Self.salt, context: context)
    }
  }

  @Test("the same input seals to the same box, and another salt changes every part of it")
  func deterministic() throws {
    let first = try box(16_400).box
    #expect(try box(16_400).box == first)
    let other = try seal(
      try box(16_400).plaintext,
      key: Self.key,
      salt: [UInt8](repeating: 8, count: 24),
      context: Self.context
    )
    #expect(other[..<32] != first[..<32])
    #expect(other[32..<64] != first[32..<64])
  }

  @Test("an output that is too small is refused, a larger one is filled at its start")
  func outputSizes() throws {
    let (plaintext, box) = try box(40)
    var small = [UInt8](repeating: 0, count: 39)
    #expect(throws: CryptoError.invalidLength) {
      try VaultCryptoTests.open(
        box,
        key: Self.key,
        salt: Self.salt,
        context: Self.context,
        into: &small
      )
    }
    var large = [UInt8](repeating: 0xee, count: 50)
    let count = try VaultCryptoTests.open(
      box,
      key: Self.key,
      salt: Self.salt,
      context: Self.context,
      into: &large
    )
    #expect(count == 40)
    #expect(large == plaintext + [UInt8](repeating: 0xee, count: 10))
  }

  @Test("a salt of another length seals nothing and opens nothing", arguments: [0, 23, 25])
  func saltLength(count: Int) throws {
    let salt = [UInt8](repeating: 9, count: count)
    #expect(throws: CryptoError.invalidLength) { try seal([1], key: Self.key, salt: salt) }
    let box = try box(1).box
    #expect(throws: CryptoError.authenticationFailed) {
      try VaultCryptoTests.open(box, key: Self.key, salt: salt)
    }
  }

  @Test("a context keyed for another hash seals nothing and opens nothing")
  func wrongHash() throws {
    let key = try HMAC(.sha256, key: Self.key.span)
    #expect(throws: CryptoError.invalidLength) {
      try SealedBox.seal(
        [1].span,
        with: key,
        salt: Self.salt.span,
        context: Span(),
        using: GCM()
      )
    }
    let box = try box(1).box
    #expect(throws: CryptoError.invalidLength) {
      var output: [UInt8] = [0]
      var bytes = output.mutableSpan
      _ = try SealedBox.open(
        box.span,
        with: key,
        salt: Self.salt.span,
        context: Self.context.span,
        using: GCM(),
        into: &bytes
      )
    }
  }

  @Test("one context seals and opens many messages in turn, also after a failure")
  func reusedContexts() throws {
    let key = try HMAC(key: Self.key.span)
    let cipher = try GCM()
    for number in 0..<20 {
      let plaintext = [UInt8](repeating: UInt8(number), count: number * 1_000)
      var box = try SealedBox.seal(
        plaintext.span,
        with: key,
        salt: Self.salt.span,
        context: [UInt8(number)].span,
        using: cipher
      )
      let isDamaged = number.isMultiple(of: 3)
      if isDamaged { box[number.isMultiple(of: 2) ? 0 : box.count - 1] ^= 1 }
      var output = [UInt8](repeating: 0, count: plaintext.count)
      var bytes = output.mutableSpan
      let count = try? SealedBox.open(
        box.span,
        with: key,
        salt: Self.salt.span,
        context: [UInt8(number)].span,
        using: cipher,
        into: &bytes
      )
      #expect(count == (isDamaged ? nil : plaintext.count))
      #expect(isDamaged || output == plaintext)
    }
  }
}
