import COpenSSL
import Glibc
import SecretMemory
import TestSupport
import Testing

@Suite("Secret keys")
struct SecretKeyTests {
  @Test("a new key has 32 zero bytes and keeps what is written")
  func contents() throws {
    var key = try SecretKey()
    #expect(key.bytes == [UInt8](repeating: 0, count: 32))
    key.withMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = UInt8(index) }
    }
    #expect(key.bytes == Array(0..<32))
  }

  @Test("memory of a released key is handed out again as zeros")
  func reuse() async {
    await #expect(processExitsWith: .success) {
      let first = try fillAndReleaseKey()
      let second = try SecretKey()
      #expect(second.withBytes { $0.address } == first, "the block should be used again")
      #expect(second.bytes == [UInt8](repeating: 0, count: 32))
    }
  }

  @Test("the page of a key is locked and left out of core dumps")
  func pageFlags() throws {
    let key = try SecretKey()
    let mapping = try #require(MemoryMapping.containing(key.withBytes { $0.address }))
    #expect(mapping.flags.isSuperset(of: ["lo", "dd"]))
  }

  @Test("a full arena refuses one more key, leaves no error behind and has room again later")
  func fullArena() async {
    await #expect(processExitsWith: .success) {
      var tree: KeyChain? = KeyChain(key: try SecretKey(), next: nil)
      var count = 1
      let error = try #require(throws: SecretMemoryError.self) {
        while count < 100_000 {
          tree = KeyChain(key: try SecretKey(), next: tree)
          count += 1
        }
      }
      #expect(error.code == .lockedMemoryExhausted)
      #expect(count > 32_000)
      #expect(ERR_peek_error() == 0)
      while let link = tree { tree = link.next }
      let key = try SecretKey()
      #expect(key.bytes == [UInt8](repeating: 0, count: 32))
    }
  }

  @Test("without room in the lock limit, a key is refused unless unlocked memory was allowed")
  func lockLimit() async {
    await #expect(processExitsWith: .success) {
      limitLockedMemory(to: 0)
      #expect(throws: SecretMemoryError(.lockedMemoryExhausted)) { _ = try SecretKey().bytes }
      LockingPolicy.allowUnlockedMemory()
      let key = try SecretKey()
      #expect(key.bytes == [UInt8](repeating: 0, count: 32))
    }
  }

  @Test("an arena that the program made without locking it is refused")
  func unlockedForeignArena() async {
    await #expect(processExitsWith: .success) {
      limitLockedMemory(to: 0)
      #expect(CRYPTO_secure_malloc_init(65_536, 32) == 2)
      #expect(throws: SecretMemoryError(.lockedMemoryExhausted)) { _ = try SecretKey().bytes }
    }
  }

  @Test("a key that a forked child makes is locked again")
  func lockedInChild() async {
    await #expect(processExitsWith: .success) {
      let key = try SecretKey()
      let child = fork()
      if child == 0 {
        let key = try SecretKey()
        let mapping = MemoryMapping.containing(key.withBytes { $0.address })
        _exit(mapping?.flags.contains("lo") == true ? 0 : 1)
      }
      #expect(exitCode(of: child) == 0)
      #expect(key.bytes.count == 32)
    }
  }

  @Test("an arena that the program made and locked is used")
  func lockedForeignArena() async {
    await #expect(processExitsWith: .success) {
      #expect(CRYPTO_secure_malloc_init(65_536, 32) == 1)
      let key = try SecretKey()
      #expect(key.bytes == [UInt8](repeating: 0, count: 32))
    }
  }
}

/// A list of keys, since a move-only key fits in no array.
private final class KeyChain {
  let key: SecretKey
  let next: KeyChain?

  init(key: consuming SecretKey, next: KeyChain?) {
    self.key = key
    self.next = next
  }
}

extension SecretKey {
  /// A copy of the bytes.
  fileprivate var bytes: [UInt8] {
    withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}

/// Makes a key of ones, lets it go and returns where it was.
private func fillAndReleaseKey() throws -> UInt {
  var key = try SecretKey()
  key.withMutableBytes { bytes in
    for index in bytes.indices { bytes[index] = 1 }
  }
  return key.withBytes { $0.address }
}
