import Glibc
import SecretVault
import Synchronization
import TestSupport
import Testing
import VaultCrypto

/// What a child made by `fork` can do with the store of its parent.
@Suite("A store after a fork")
struct ForkedStoreTests {
  @Test("in a child that was made while a call was running nothing waits for that call")
  func forkInsideCall() async throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      // The call that draws these bytes holds every lock that a write takes.
      let random = RandomSource { bytes throws(CryptoError) in
        if Self.isArmed.exchange(false, ordering: .relaxed) { Self.useInChild() }
        try RandomSource.system.fill(&bytes)
      }
      let store = try SecretStore.open(
        at: child.path,
        lockState: ManualLockState(),
        options: child.options,
        random: random
      )
      try store.unlock(with: child.credential)
      Self.kept.withLock { $0 = store }
      Self.isArmed.store(true, ordering: .relaxed)
      try store.set(SecretBytes("s"), for: ItemIdentity(service: "one"))
      let isUnused = Self.isArmed.load(ordering: .relaxed)
      #expect(!isUnused)
      #expect(try store.secret(for: ItemIdentity(service: "one"))?.text == "s")
    }
  }

  private static let isArmed = Atomic<Bool>(false)
  private static let kept = Mutex<SecretStore?>(nil)

  private static func useInChild() {
    let copy = Glibc.fork()
    if copy == 0 {
      guard let store = kept.withLock({ $0 }) else { _exit(2) }
      store.lock()
      store.close()
      let isClosed = store.lockState == .beforeFirstUnlock && store.openedGroups.isEmpty
      _exit(isClosed && store.takeNotices().isEmpty ? 0 : 1)
    }
    var status: Int32 = -1
    let hasEnded = eventually { unsafe waitpid(copy, &status, WNOHANG) != 0 }
    if !hasEnded { kill(copy, SIGKILL) }
    #expect(status == 0)
  }
}
