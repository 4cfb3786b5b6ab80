import SecretMemory
import TestSupport
import Testing

@Suite("Residue in memory")
struct ResidueTests {
  @Test("the search finds a planted copy, and not its own pattern")
  func searchFinds() async {
    await #expect(processExitsWith: .success) {
      let pattern = MaskedPattern(randomByteCount: 32)
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
      var planted = [UInt8](repeating: 0, count: 3 << 20)
      for offset in [0, (1 << 20) - 40, 3 << 20 - 32] {
        var target = planted.mutableSpan
        pattern.write(to: &target, at: offset)
      }
      let found = try MemoryScanner.occurrences(of: pattern)
      #expect(found.count == 3)
      #expect(found.allSatisfy { !$0.mapping.flags.contains("lo") })
      #expect(planted.count == 3 << 20)
    }
  }

  @Test(
    "a secret is in memory once, in a locked page, and not at all after its release",
    arguments: [32, 3_000, 70_000, 1 << 20]
  )
  func secretBytes(count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      let pattern = MaskedPattern(randomByteCount: 32)
      var secrets = [try SecretBytes(count: count) { pattern.write(to: &$0) }]
      let copy = secrets
      let found = try MemoryScanner.occurrences(of: pattern)
      #expect(found.count == 1)
      #expect(found.allSatisfy { $0.mapping.flags.isSuperset(of: ["lo", "dd", "wf"]) })
      #expect(copy.count == 1)
      secrets.removeAll()
      _ = consume copy
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
    }
  }

  @Test("a key is in memory once, in a locked page, and not at all after its release")
  func secretKey() async {
    await #expect(processExitsWith: .success) {
      let pattern = MaskedPattern(randomByteCount: 32)
      var key = try SecretKey()
      key.withMutableBytes { pattern.write(to: &$0) }
      let found = try MemoryScanner.occurrences(of: pattern)
      #expect(found.count == 1)
      #expect(found.allSatisfy { $0.mapping.flags.isSuperset(of: ["lo", "dd"]) })
      _ = consume key
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
    }
  }

  @Test("a buffer that was never frozen leaves nothing behind")
  func droppedBuffer() async {
    await #expect(processExitsWith: .success) {
      let pattern = MaskedPattern(randomByteCount: 32)
      var buffer = try LockedBuffer(count: 5_000)
      buffer.withMutableBytes { pattern.write(to: &$0) }
      #expect(try MemoryScanner.occurrences(of: pattern).count == 1)
      _ = consume buffer
      #expect(try MemoryScanner.occurrences(of: pattern).isEmpty)
    }
  }

  @Test("comparing two secrets copies neither")
  func comparing() async {
    await #expect(processExitsWith: .success) {
      let pattern = MaskedPattern(randomByteCount: 32)
      let left = try SecretBytes(count: 32) { pattern.write(to: &$0) }
      let right = try SecretBytes(count: 32) { pattern.write(to: &$0) }
      #expect(left.constantTimeEquals(right))
      #expect(try MemoryScanner.occurrences(of: pattern).count == 2)
    }
  }
}
