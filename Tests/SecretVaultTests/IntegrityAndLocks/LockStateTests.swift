import SecretVault
import Synchronization
import Testing

@Suite("Lock-state providers")
struct LockStateTests {
  private let vault: TemporaryVault

  /// A vault with one item of the class that a lock closes and one of the class that it leaves open.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    for accessibility in [Accessibility.whenUnlocked, .afterFirstUnlock] {
      try store.set(SecretBytes("token"), for: .of(accessibility), accessibility: accessibility)
    }
    store.close()
  }

  @Test("a store has wiped its keys when the call that locks its provider returns")
  func locksAtOnce() throws {
    let provider = ManualLockState()
    let store = try vault.openUnlocked(lockState: provider)
    #expect(store.lockState == .unlocked)
    provider.lock()
    #expect(store.lockState == .locked)
    #expect(throws: VaultError(.locked)) { try store.secret(for: .of(.whenUnlocked)) }
    #expect(try store.secret(for: .of(.afterFirstUnlock))?.text == "token")
  }

  @Test("a provider that goes back before the first unlock closes every class")
  func beforeFirstUnlock() throws {
    let provider = ManualLockState()
    let store = try vault.openUnlocked(lockState: provider)
    provider.set(.beforeFirstUnlock)
    #expect(store.lockState == .beforeFirstUnlock)
    #expect(throws: VaultError(.locked)) { try store.secret(for: .of(.afterFirstUnlock)) }
    #expect(throws: VaultError(.locked)) { try store.items() }
  }

  @Test("L-4: a provider without a credential is a policy: unlocking it opens nothing")
  func policyOnly() throws {
    let provider = ManualLockState()
    let store = try vault.openUnlocked(lockState: provider)
    provider.lock()
    provider.unlock()
    #expect(try provider.credential() == nil)
    #expect(store.lockState == .locked)
    #expect(throws: VaultError(.locked)) { try store.secret(for: .of(.whenUnlocked)) }
    try store.unlock(with: vault.credential)
    #expect(try store.secret(for: .of(.whenUnlocked))?.text == "token")
  }

  @Test(
    "a credential does not unlock a store whose provider is locked",
    arguments: [
      LockState.locked, .beforeFirstUnlock,
    ]
  )
  func refusedWhileLocked(_ state: LockState) throws {
    let store = try vault.open(lockState: ManualLockState(state))
    #expect(throws: VaultError(.locked)) { try store.unlock(with: vault.credential) }
    #expect(store.lockState == .beforeFirstUnlock)
  }

  @Test("a vault that is made under a locked provider is there, and locked")
  func createdLocked() throws {
    let other = try TemporaryVault()
    let store = try other.create(lockState: ManualLockState(.locked))
    #expect(store.lockState == .beforeFirstUnlock)
    #expect(throws: VaultError(.locked)) { try store.items() }
    #expect(try other.openUnlocked().items().items.isEmpty)
  }

  @Test("every store of a provider follows it, and one that was let go is forgotten")
  func manyStores() throws {
    let provider = ManualLockState()
    let first = try vault.openUnlocked(lockState: provider)
    var second = try vault.openUnlocked(lockState: provider) as SecretStore?
    weak let observer = second
    second = nil
    #expect(observer == nil)
    let third = try vault.openUnlocked(lockState: provider)
    provider.lock()
    #expect(first.lockState == .locked)
    #expect(third.lockState == .locked)
  }

  @Test("a store unlocks itself when its provider unlocks and has a credential")
  func unlocksItself() throws {
    let provider = ProvidingLockState(vault.credential)
    let store = try vault.open(lockState: provider)
    #expect(store.lockState == .unlocked)
    provider.manual.lock()
    #expect(store.lockState == .locked)
    provider.manual.unlock()
    #expect(store.lockState == .unlocked)
    #expect(try store.secret(for: .of(.whenUnlocked))?.text == "token")
  }

  @Test("a lock that comes while a store unlocks leaves it locked")
  func lockedMeanwhile() throws {
    let provider = ProvidingLockState(vault.credential)
    let store = try vault.open(lockState: provider)
    provider.manual.lock()
    // The provider is asked whether it permits the unlock, and locks right after it has said yes.
    provider.locksAfterNextQuestion()
    try? store.unlock(with: vault.credential)
    #expect(store.lockState == .locked)
    #expect(throws: VaultError(.locked)) { try store.secret(for: .of(.whenUnlocked)) }
  }
}

/// A lock state that has a credential, and can lock at the worst moment.
final class ProvidingLockState: LockStateProvider {
  let manual = ManualLockState()
  private let provided: Credential
  private let locksAfterQuestion = Atomic<Bool>(false)

  init(_ credential: Credential) {
    provided = credential
  }

  func locksAfterNextQuestion() {
    locksAfterQuestion.store(true, ordering: .relaxed)
  }

  var state: LockState {
    guard locksAfterQuestion.exchange(false, ordering: .relaxed) else { return manual.state }
    manual.lock()
    return .unlocked
  }

  func observe(_ observation: LockObservation) { manual.observe(observation) }

  func credential() throws -> Credential? { provided }
}
