import Dispatch
import Glibc
import SecretVault
import Synchronization
import TestSupport
import Testing
import VaultCrypto

@Suite("A lock that comes in the middle of something")
struct LockMeanwhileTests {
  private let vault: TemporaryVault
  private let item = ItemIdentity.of(.whenUnlocked)

  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.set(SecretBytes("token"), for: item)
    try store.set(
      SecretBytes("token"),
      for: .of(.afterFirstUnlock),
      accessibility: .afterFirstUnlock
    )
    store.close()
  }

  @Test("L-3: a lock ends a long listing, and no later one holds an item of a locked class")
  func longListing() throws {
    let count = 2_000
    try addItems(count - 1)
    let started = DispatchSemaphore(value: 0)
    let store = try vault.open(lockState: WatchedLockState { started.signal() })
    var wasEnded = false
    for _ in 0..<200 where !wasEnded {
      try store.unlock(with: vault.credential)
      let listing = Background { try store.items() }
      started.wait()
      store.lock()
      switch listing.result() {
      case .success(let listing) where listing.lockedCount == 0:
        #expect(listing.items.count == count + 1, "it was faster than the lock")
      case .success(let listing):
        #expect(listing.items.map(\.accessibility) == [.afterFirstUnlock], "it came after the lock")
        #expect(listing.lockedCount == count)
      case .failure(let error):
        #expect(error as? VaultError == VaultError(.locked))
        wasEnded = true
      }
      #expect(try store.items().items.map(\.accessibility) == [.afterFirstUnlock])
      started.wait()
    }
    #expect(wasEnded)
  }

  @Test("a lock ends a write that waits for another process, and nothing is written")
  func waitingWriter() throws {
    let other = try HeldWriteLock(vault)
    try expectLockToEndWrite(of: vault)
    other.release()
    #expect(try vault.openUnlocked().secret(for: item)?.text == "token")
  }

  @Test("a lock rolls back a write that is under way")
  func openWrite() throws {
    let hook = Mutex<(@Sendable () -> Void)?>(nil)
    let random = RandomSource { bytes throws(CryptoError) in
      // Drawn for a row in the middle of its commit.
      hook.withLock { $0.take() }?()
      try RandomSource.system.fill(&bytes)
    }
    let store = try SecretStore.open(
      at: vault.path,
      lockState: ManualLockState(),
      options: vault.options,
      random: random
    )
    try store.unlock(with: vault.credential)
    let locking = Mutex<Background<Void>?>(nil)
    hook.withLock {
      $0 = {
        locking.withLock { $0 = Background { store.lock() } }
        // Whoever asks now waits behind the lock that waits for the write.
        _ = eventually {
          let question = Background { _ = store.lockState }
          return question.result(within: .milliseconds(50)) == nil
        }
      }
    }
    #expect(throws: VaultError(.locked)) { try store.set(SecretBytes("changed"), for: item) }
    _ = locking.withLock { $0 }?.result()
    #expect(store.lockState == .locked)
    try store.unlock(with: vault.credential)
    #expect(try store.secret(for: item)?.text == "token")
    #expect(try store.administration(with: vault.credential).check().isSound)
  }

  @Test("a lock does not wait for another process that writes")
  func lockBesideWriter() throws {
    var options = vault.options
    options.busyTimeoutMilliseconds = 60_000
    let store = try SecretStore.open(at: vault.path, options: options)
    try store.unlock(with: vault.credential)
    #expect(try store.remove(item), "so that there is something to drain")
    let other = try HeldWriteLock(vault)
    let lock = Background { store.lock() }
    #expect(lock.result(within: .seconds(20)) != nil)
    #expect(store.lockState == .locked)
    other.release()
  }

  @Test("C-11: after a fork the child is locked, and the parent goes on")
  func fork() async {
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      let store = try child.openUnlocked()
      let administration = try store.administration(with: child.credential)
      #expect(try refusals(of: store, administration, child) == [])
      let copy = Glibc.fork()
      if copy == 0 {
        let refused = (try? refusals(of: store, administration, child)) ?? []
        _exit(refused == allCalls ? 0 : 1)
      }
      #expect(exitCode(of: copy) == 0)
      #expect(try refusals(of: store, administration, child) == [])
      store.close()
      #expect(try reopensSoundly(child))
    }
  }

  private func addItems(_ count: Int) throws {
    let store = try vault.openUnlocked()
    try store.transaction { transaction in
      for number in 0..<count {
        try transaction.set(SecretBytes("s"), for: ItemIdentity(service: "service-\(number)"))
      }
    }
    store.close()
  }
}

private let allCalls = [
  "secret", "items", "set", "unlock", "administration", "slots", "emptyLog", "acceptRestore",
]

/// The calls that answer `locked`.
private func refusals(
  of store: SecretStore,
  _ administration: VaultAdministration,
  _ child: ChildVault
) throws -> [String] {
  let credential = try child.credential
  let secret = try SecretBytes("token")
  let calls: [() throws -> Void] = [
    { _ = try store.secret(for: .of(.afterFirstUnlock)) },
    { _ = try store.items() },
    { try store.set(secret, for: .of(.afterFirstUnlock)) },
    { try store.unlock(with: credential) },
    { _ = try store.administration(with: credential) },
    { _ = try administration.slots() },
    { try store.emptyLog() },
    { try store.acceptRestore(with: credential) },
  ]
  return zip(allCalls, calls).compactMap { name, call in
    do { try call() } catch { return (error as? VaultError)?.code == .locked ? name : "other" }
    return nil
  }
}

private func reopensSoundly(_ child: ChildVault) throws -> Bool {
  try child.openUnlocked().administration(with: child.credential).check().isSound
}

extension LockMeanwhileTests {
  @Test("writes that wait for a foreign program's lock on the file hold up no lock of the vault")
  func foreignWriter() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    let database = try RawDatabase(vault.path)
    try database.execute("BEGIN IMMEDIATE")
    let secret = try SecretBytes("x")
    let writes = (0..<3).map { number in
      Background { try store.set(secret, for: ItemIdentity(service: "\(number)")) }
    }
    // Each holds up the reading side for as long as it waits, so that a lock taken now would have to wait for all.
    #expect(writes[0].result(within: .milliseconds(300)) == nil)
    let start = ContinuousClock.now
    store.lock()
    #expect(start.duration(to: .now) < .seconds(2))
    for write in writes {
      #expect(throws: VaultError.self) { try write.result().get() }
    }
    try database.execute("ROLLBACK")
  }
}
