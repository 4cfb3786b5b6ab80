import Dispatch
import SecretVault
import Synchronization
import TestSupport
import Testing
import VaultCrypto

@Suite("Locks and unlocks that meet")
struct LockingTests {
  private let vault: TemporaryVault
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.set(SecretBytes("token"), for: item)
    store.close()
  }

  /// A store that calls `hook` once when it draws random bytes for a row, in the middle of a commit.
  private func open(
    interruptedBy hook: @escaping @Sendable (SecretStore) -> Void
  ) throws -> SecretStore {
    let waiting = Mutex<(@Sendable () -> Void)?>(nil)
    let random = RandomSource { bytes throws(CryptoError) in
      waiting.withLock { $0.take() }?()
      try RandomSource.system.fill(&bytes)
    }
    let store = try SecretStore.open(
      at: vault.path,
      lockState: ManualLockState(),
      options: vault.options,
      random: random
    )
    try store.unlock(with: vault.credential)
    waiting.withLock { $0 = { [weak store] in if let store { hook(store) } } }
    return store
  }

  @Test("an item read by the name of its group while that is locked is stored there again")
  func lockedGroupName() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    try store.administration(with: vault.credential).createGroup("work")
    let token = ItemIdentity(service: "token", group: "work")
    try store.set(SecretBytes("1"), for: token, accessibility: .afterFirstUnlock)
    store.lock()
    #expect(try store.item(for: token)?.identity == token)
    #expect(try store.items(matching: ItemQuery(group: "work")).items.map(\.identity) == [token])
    try store.transaction { transaction in
      let item = try #require(try transaction.item(for: token))
      try transaction.set(item, secret: SecretBytes("2"))
    }
    #expect(try store.secret(for: token)?.text == "2")
    #expect(try store.secret(for: ItemIdentity(service: "token", group: "default")) == nil)
  }

  @Test("another unlock does not end a write that is under way")
  func unlockBesideWrite() throws {
    let credential = vault.credential
    let unlocking = Mutex<Background<Void>?>(nil)
    let store = try open { store in
      unlocking.withLock { $0 = Background { try store.unlock(with: credential) } }
      _ = eventually {
        let question = Background { _ = store.lockState }
        return question.result(within: .milliseconds(50)) == nil
      }
    }
    try store.set(SecretBytes("changed"), for: item)
    try unlocking.withLock { $0 }?.result().get()
    #expect(try store.secret(for: item)?.text == "changed")
  }

  @Test("a closed store stays closed, whatever its provider and its callers do")
  func closed() throws {
    let provider = ProvidingState(vault.credential)
    let store = try vault.open(lockState: provider)
    let administration = try store.administration(with: vault.credential)
    store.close()
    provider.manual.unlock()
    #expect(store.lockState == .beforeFirstUnlock)
    #expect(throws: VaultError(.locked)) { try store.unlock(with: vault.credential) }
    #expect(throws: VaultError(.locked)) { try store.secret(for: item) }
    #expect(throws: VaultError(.locked)) { try store.set(SecretBytes("x"), for: item) }
    #expect(throws: VaultError(.locked)) { try store.emptyLog() }
    #expect(throws: VaultError(.locked)) { try administration.slots() }
    #expect(throws: VaultError(.locked)) { try store.administration(with: vault.credential) }
    #expect(throws: VaultError(.locked)) { try store.acceptRestore(with: vault.credential) }
    store.close()
  }

  @Test("a lock that comes while a store unlocks wins")
  func lockBesideUnlock() throws {
    let provider = ProvidingState(vault.credential)
    let store = try vault.open(lockState: provider)
    // The provider is asked at the start, and says yes just before the store is locked by hand.
    provider.doesAfterNextQuestion { store.lock() }
    #expect(throws: VaultError(.locked)) { try store.unlock(with: vault.credential) }
    #expect(store.lockState == .locked)
    try store.unlock(with: vault.credential)
    #expect(try store.secret(for: item)?.text == "token")
  }

  @Test("a provider that goes back before the first unlock while a store unlocks leaves no key")
  func backMeanwhile() throws {
    let provider = ProvidingState(vault.credential)
    let store = try vault.open(lockState: provider)
    provider.doesAfterNextQuestion { provider.manual.set(.beforeFirstUnlock) }
    try? store.unlock(with: vault.credential)
    #expect(store.lockState == .beforeFirstUnlock)
  }

  @Test("a class that another process opened up is not taken for locked")
  func openedUp() throws {
    let store = try vault.openUnlocked()
    #expect(try store.secret(for: item)?.text == "token")
    store.lock()
    #expect(throws: VaultError(.locked)) { try store.secret(for: item) }
    let other = try vault.openUnlocked()
    try other.update(item) { item, _ in item.accessibility = .afterFirstUnlock }
    #expect(try store.secret(for: item)?.text == "token")
    try other.remove(item)
    #expect(try store.secret(for: item) == nil)
  }
}

/// A lock state that has a credential, and can change at the worst moment.
private final class ProvidingState: LockStateProvider {
  let manual = ManualLockState()
  private let provided: Credential
  private let next = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ credential: Credential) { provided = credential }

  func doesAfterNextQuestion(_ action: @escaping @Sendable () -> Void) {
    next.withLock { $0 = action }
  }

  var state: LockState {
    let state = manual.state
    next.withLock { $0.take() }?()
    return state
  }

  func observe(_ observation: LockObservation) { manual.observe(observation) }

  func credential() throws -> Credential? { provided }
}
