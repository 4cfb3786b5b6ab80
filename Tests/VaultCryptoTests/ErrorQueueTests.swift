import COpenSSL
import Testing
import VaultCrypto

/// An entry that stays in a thread's queue is taken for the next operation's, also by other users of
/// libcrypto in the process.
@Suite("libcrypto's error queue", .serialized)
struct ErrorQueueTests {
  private let key = [UInt8](repeating: 1, count: 32)
  private let salt = [UInt8](repeating: 1, count: 24)

  @Test("it is empty after a box was opened, or was refused for its commitment or its tag")
  func boxes() throws {
    ERR_clear_error()
    let box = try seal([1, 2, 3], key: key, salt: salt)
    _ = try open(box, key: key, salt: salt)
    #expect(ERR_peek_error() == 0)
    for damagedByte in [0, box.count - 1] {
      var damaged = box
      damaged[damagedByte] ^= 1
      #expect(throws: CryptoError.self) { try open(damaged, key: key, salt: salt) }
      #expect(ERR_peek_error() == 0)
    }
  }

  @Test(
    "it is empty after scrypt refused a parameter or found no memory",
    arguments: [15, 1 << 50]
  )
  func scrypt(n: UInt64) {
    ERR_clear_error()
    var output = [UInt8](repeating: 0, count: 32)
    #expect(throws: CryptoError.unavailable) {
      var bytes = output.mutableSpan
      try Scrypt.derive([1].span, salt: [1].span, n: n, r: 8, p: 1, into: &bytes)
    }
    #expect(ERR_peek_error() == 0)
    #expect(output == [UInt8](repeating: 0, count: 32))
  }

  @Test("it is empty after the self-test, keys and hashes")
  func everythingElse() throws {
    ERR_clear_error()
    #expect(SelfTest.passes())
    let root = try Key<Role.Root>.random(from: .system)
    #expect(try root.wrapKey().bytes != root.adminKey().bytes)
    #expect(try sha512([]).count == 64)
    _ = try HMAC(key: Span())
    #expect(ERR_peek_error() == 0)
  }
}
