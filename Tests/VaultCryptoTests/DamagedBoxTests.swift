import TestSupport
import Testing
import VaultCrypto

@Suite("Damaged boxes")
struct DamagedBoxTests {
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

  @Test("every single flipped bit is noticed: in the commitment first, then in the ciphertext")
  func everyBit() throws {
    let box = try box(40).box
    for bit in 0..<box.count * 8 {
      var damaged = box
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: bit < 256 ? CryptoError.commitmentMismatch : .authenticationFailed) {
        try open(damaged)
      }
    }
  }

  @Test("a box cut short at any place does not open")
  func truncated() throws {
    let box = try box(40).box
    for count in 0..<box.count {
      #expect(throws: CryptoError.authenticationFailed) { try open(Array(box.prefix(count))) }
    }
  }

  @Test("a box of several chunks cut anywhere near a border does not open")
  func truncatedChunks() throws {
    let box = try box(2 * 16_384 + 5).box
    for border in [32 + 16_400, 32 + 2 * 16_400] {
      for count in border - 17...border + 17 {
        #expect(throws: CryptoError.authenticationFailed) { try open(Array(box.prefix(count))) }
      }
    }
  }

  @Test("a box with anything behind it does not open", arguments: [1, 15, 16, 17, 16_400])
  func extended(count: Int) throws {
    for byteCount in [40, 16_384, 16_390] {
      let box = try box(byteCount).box + [UInt8](repeating: 0, count: count)
      #expect(throws: CryptoError.authenticationFailed) { try open(box) }
    }
  }

  @Test("chunks in another order do not open")
  func reordered() throws {
    let box = try box(2 * 16_384).box
    let chunks = [32..<16_432, 16_432..<32_832].map { Array(box[$0]) }
    let swapped = box[..<32] + chunks[1] + chunks[0] + box[32_832...]
    #expect(throws: CryptoError.authenticationFailed) { try open(Array(swapped)) }
  }

  @Test("another key, another salt or another context is a mismatch of the commitment")
  func wrongInputs() throws {
    let box = try box(40).box
    let wrong: [(key: [UInt8], salt: [UInt8], context: [UInt8])] = [
      ([UInt8](repeating: 8, count: 32), Self.salt, Self.context),
      (Self.key, [UInt8](repeating: 8, count: 24), Self.context),
      (Self.key, Self.salt, Array("Context".utf8)),
      (Self.key, Self.salt, []),
      (Self.key, Self.salt, Self.context + [0]),
    ]
    for input in wrong {
      #expect(throws: CryptoError.commitmentMismatch) {
        try VaultCryptoTests.open(box, key: input.key, salt: input.salt, context: input.context)
      }
    }
  }

  @Test(
    "a failure wipes the whole output, plaintext of earlier chunks included",
    arguments: [0, 40, 20_000, 48 + 16_400]
  )
  func wipedOutput(damagedByte: Int) throws {
    var box = try box(2 * 16_384 + 5).box
    box[damagedByte] ^= 1
    try expectWiped(box)
  }

  @Test("a box of an impossible size wipes the output too")
  func wipedOutputOfImpossibleSize() throws {
    try expectWiped(Array(try box(16_384).box.dropLast()))
  }

  private func expectWiped(_ box: [UInt8]) throws {
    var output = [UInt8](repeating: 0xee, count: box.count + 100)
    #expect(throws: CryptoError.self) {
      try VaultCryptoTests.open(
        box,
        key: Self.key,
        salt: Self.salt,
        context: Self.context,
        into: &output
      )
    }
    #expect(output.allSatisfy { $0 == 0 })
  }
}
