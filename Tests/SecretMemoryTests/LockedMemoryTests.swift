import Glibc
import SecretMemory
import TestSupport
import Testing

@Suite("Locked memory")
struct LockedMemoryTests {
  @Test(
    "memory of a released secret is handed out again as zeros",
    arguments: [1, 64, 4_000, 40_000]
  )
  func reuse(count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      let first = try fillAndRelease(count)
      let second = try SecretBytes(count: count) { _ in }
      #expect(second.withBytes { $0.address } == first, "the block should be used again")
      #expect(second.copied(as: [UInt8].self) == [UInt8](repeating: 0, count: count))
    }
  }

  @Test(
    "every page of a secret is locked, left out of core dumps and wiped on fork",
    arguments: [1, 32_768, 32_769, 1 << 20]
  )
  func pageFlags(count: Int) throws {
    let secret = try SecretBytes(count: count) { _ in }
    let start = secret.withBytes { $0.address }
    for address in [start, start + UInt(count) - 1] {
      let mapping = try #require(MemoryMapping.containing(address))
      #expect(mapping.flags.isSuperset(of: ["lo", "dd", "wf"]))
    }
  }

  @Test("a forked child sees zeros where the parent keeps a secret")
  func forkedChild() async {
    await #expect(processExitsWith: .success) {
      let secrets = try [1, 5_000, 100_000].map { count in
        try SecretBytes(copying: [UInt8](repeating: 0xaa, count: count))
      }
      let child = fork()
      if child == 0 { _exit(secrets.allSatisfy(isZero) ? 0 : 1) }
      #expect(exitCode(of: child) == 0)
      #expect(secrets.allSatisfy { !isZero($0) }, "the parent keeps its secrets")
    }
  }

  @Test("secrets that a forked child makes are locked again", arguments: [64, 40_000])
  func lockedInChild(count: Int) async {
    await #expect(processExitsWith: .success) { [count] in
      _ = try fillAndRelease(count)
      var secrets = [try SecretBytes(count: count) { _ in }]
      let child = fork()
      if child == 0 {
        secrets.removeAll()
        for _ in 0..<3 { secrets.append(try SecretBytes(count: count) { _ in }) }
        _exit(secrets.allSatisfy(isLocked) ? 0 : 1)
      }
      #expect(exitCode(of: child) == 0)
      #expect(secrets.count == 1)
    }
  }

  @Test("without room in the lock limit, a secret is refused and the reason given")
  func exhausted() async {
    await #expect(processExitsWith: .success) {
      limitLockedMemory(to: 256 * 1024)
      var secrets: [SecretBytes] = []
      let error = try #require(throws: SecretMemoryError.self) {
        for _ in 0..<64 { secrets.append(try SecretBytes(count: 32_768) { _ in }) }
      }
      #expect(error.code == .lockedMemoryExhausted)
      #expect(secrets.count == 8)
      #expect(throws: SecretMemoryError(.lockedMemoryExhausted)) {
        try SecretBytes(count: 100_000) { _ in }
      }
    }
  }

  @Test("locked memory that small secrets left is there for large ones, and the other way round")
  func reuseAcrossSizes() async {
    await #expect(processExitsWith: .success) {
      limitLockedMemory(to: 1 << 20)
      for size in [64, 128, 600_000, 32_768, 40_000, 1 << 20, 1] {
        var secrets: [SecretBytes] = []
        for _ in 0..<(1 << 20) / (max(size, 64) + 4_096) {
          secrets.append(try SecretBytes(count: size) { _ in })
        }
        if size == 1 << 20 { secrets.append(try SecretBytes(count: size) { _ in }) }
        #expect(!secrets.isEmpty)
      }
    }
  }

  @Test("only an explicit decision lets secrets live in unlocked memory")
  func unlockedMemory() async {
    await #expect(processExitsWith: .success) {
      limitLockedMemory(to: 0)
      #expect(!LockingPolicy.allowsUnlockedMemory)
      #expect(throws: SecretMemoryError(.lockedMemoryExhausted)) {
        try SecretBytes(copying: [1])
      }
      LockingPolicy.allowUnlockedMemory()
      #expect(LockingPolicy.allowsUnlockedMemory)
      let secret = try SecretBytes(copying: [1])
      #expect(secret.copied(as: [UInt8].self) == [1])
    }
  }

  @Test("many threads make and release secrets at once without sharing a block")
  func manyThreads() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          try (0..<60).allSatisfy { round in
            let bytes = [UInt8](repeating: UInt8(number * 16 + 1), count: 1 + round * 653)
            return try SecretBytes(copying: bytes).copied(as: [UInt8].self) == bytes
          }
        }
      }
      for try await isIntact in group { #expect(isIntact) }
    }
  }
}

/// Makes a secret of ones, lets it go and returns where it was.
private func fillAndRelease(_ count: Int) throws -> UInt {
  try SecretBytes(copying: [UInt8](repeating: 1, count: count)).withBytes { $0.address }
}

private func isZero(_ secret: SecretBytes) -> Bool {
  secret.withBytes { bytes in bytes.indices.allSatisfy { bytes[$0] == 0 } }
}

private func isLocked(_ secret: SecretBytes) -> Bool {
  MemoryMapping.containing(secret.withBytes { $0.address })?.flags.contains("lo") == true
}
