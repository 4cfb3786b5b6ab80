import Dispatch
import Glibc
import SecretMemory
import Synchronization
import TestSupport
import Testing

@Suite("Memory for secrets in forked children")
struct ForkedMemoryTests {
  private static let isOver = Atomic<Bool>(false)

  @Test("a child can take and release memory, whatever other threads did while it was made")
  func forkInsideAllocations() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<2 {
        DispatchQueue.global().async {
          while !Self.isOver.load(ordering: .relaxed) { _ = Self.hasMemory() }
        }
      }
      let inherited = try [SecretBytes(copying: [1])]
      for _ in 0..<300 {
        var secrets = inherited
        let child = fork()
        if child == 0 {
          secrets.removeAll()
          _exit(Self.hasMemory() ? 0 : 1)
        }
        let isWell = exitCode(of: child) == 0
        #expect(isWell)
        if !isWell { break }
      }
      Self.isOver.store(true, ordering: .relaxed)
    }
  }

  private static func hasMemory() -> Bool {
    do {
      let secret = try SecretBytes(copying: [1, 2])
      let key = try SecretKey()
      return secret.count == 2 && key.withBytes { $0.count } == SecretKey.byteCount
    } catch {
      return false
    }
  }
}
