import SecretMemory
import TestSupport
import Testing
import VaultCrypto

@Suite("Self-test")
struct SelfTestTests {
  @Test("it passes with a sound libcrypto")
  func passes() throws {
    #expect(SelfTest.passes())
    try SelfTest.requirePassed()
  }

  @Test("a wrong bit in any one answer fails it", arguments: 0..<3)
  func damaged(answer: Int) {
    var number = 0
    let passes = SelfTest.passes { bytes in
      if number == answer { bytes[bytes.count / 2] ^= 1 }
      number += 1
    }
    #expect(!passes)
    #expect(number == answer + 1, "it should stop at the wrong answer")
  }

  @Test("an answer that is too short fails it", arguments: 0..<3)
  func shortened(answer: Int) {
    var number = 0
    let passes = SelfTest.passes { bytes in
      if number == answer { bytes.removeLast() }
      number += 1
    }
    #expect(!passes)
  }

  @Test("three answers are looked at")
  func answers() {
    var sizes: [Int] = []
    #expect(SelfTest.passes { sizes.append($0.count) })
    #expect(sizes == [79, 32, 42])
  }

  @Test("a lack of locked memory is no fault of libcrypto")
  func noLockedMemory() async {
    await #expect(processExitsWith: .success) {
      limitLockedMemory(to: 0)
      try SelfTest.requirePassed()
      let error = #expect(throws: CryptoError.self) {
        _ = try Key<Role.Root>.random(from: .system).bytes
      }
      #expect(error == .memory(.lockedMemoryExhausted))
    }
  }
}
