import SecretMemory
import Testing
import VaultCrypto

@Suite("Random sources")
struct RandomSourceTests {
  @Test("the system's source fills every byte, also of more than the kernel gives at once")
  func system() throws {
    var bytes = [UInt8](repeating: 0, count: 40 << 20)
    var output = bytes.mutableSpan
    try RandomSource.system.fill(&output)
    for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
      #expect(bytes[start..<start + 64].contains { $0 != 0 })
    }
    #expect(bytes.suffix(64).contains { $0 != 0 })
    let first: InlineArray<24, UInt8> = try RandomSource.system.bytes()
    let second: InlineArray<24, UInt8> = try RandomSource.system.bytes()
    #expect([UInt8](first) != [UInt8](second))
  }

  @Test("filling nothing succeeds")
  func nothing() throws {
    var nothing = MutableSpan<UInt8>()
    try RandomSource.system.fill(&nothing)
  }

  @Test("a fixed stream in its place gives keys and bytes that are known")
  func fixedStream() throws {
    let source = RandomSource { bytes throws(CryptoError) in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
    }
    let salt: InlineArray<24, UInt8> = try source.bytes()
    #expect([UInt8](salt) == Array(0..<24))
    #expect(try Key<Role.Root>.random(from: source).bytes == Array(0..<32))
  }

  @Test("a source that fails makes no key and no bytes")
  func failing() {
    let source = RandomSource { bytes throws(CryptoError) in
      bytes[0] = 1
      throw .unavailable
    }
    #expect(throws: CryptoError.unavailable) {
      let _: InlineArray<24, UInt8> = try source.bytes()
    }
    #expect(throws: CryptoError.unavailable) {
      _ = try Key<Role.Root>.random(from: source).bytes
    }
  }
}
