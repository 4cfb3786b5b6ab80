import Glibc
import SecretVault
import TestSupport
import Testing

/// Locks before, during and after a rotation.
@Suite("Locks at a rotation")
struct RotationLockTests {
  private let vault: TemporaryVault
  private let itemCount = 400

  init() throws { vault = try .withNumberedItems(itemCount) }

  @Test("C-10: a locked session outlives a change of passphrase, and no rotation")
  func lockedSession() throws {
    let laptop = Credential.passphrase(try SecretBytes("laptop"))
    let locked = try vault.openUnlocked()
    let item = ItemIdentity(service: "background")
    try locked.set(SecretBytes("token"), for: item, accessibility: .afterFirstUnlock)
    locked.lock()
    let administration = try vault.open().administration(with: laptop)
    _ = try administration.changePassphrase(to: SecretBytes("next"), log2N: 15)
    #expect(try locked.secret(for: item)?.text == "token")
    try locked.set(SecretBytes("token 2"), for: item)
    #expect(throws: VaultError(.credentialRejected)) { try locked.unlock(with: laptop) }
    try vault.open().administration(with: vault.credential).rotate()
    #expect(throws: VaultError(.keysRotated)) { try locked.secret(for: item) }
    #expect(throws: VaultError(.locked)) { try locked.secret(for: item) }
    try locked.unlock(with: vault.credential)
    #expect(try locked.secret(for: item)?.text == "token 2")
  }

  @Test(
    "the store of the administration is locked after its rotation, and the administration is not"
  )
  func ownStore() throws {
    let store = try vault.openUnlocked()
    let administration = try store.administration(with: vault.credential)
    try administration.rotate()
    #expect(store.lockState == .beforeFirstUnlock)
    #expect(throws: VaultError(.locked)) { try store.items() }
    try administration.rotate()
    try store.unlock(with: vault.credential)
    #expect(try store.items().items.count == itemCount)
  }

  @Test("a lock of the store ends a rotation, which changes nothing")
  func locked() throws {
    let store = try vault.openUnlocked()
    let administration = try store.administration(with: vault.credential)
    let before = try vault.raw().head()
    var locking: Background<Void>?
    #expect(throws: VaultError(.locked)) {
      try administration.rotateKeys { _ in
        guard locking == nil else { return }
        locking = Background { store.lock() }
        _ = eventually { store.lockState == .locked }
      }
    }
    try #require(locking).result().get()
    #expect(try vault.raw().head() == before)
    #expect(throws: VaultError(.locked)) { try administration.slots() }
    #expect(try vault.openUnlocked().items().items.count == itemCount)
  }

  @Test("a lock of the store ends a rotation that is writing already, which changes nothing")
  func lockedWhileWriting() throws {
    let store = try vault.openUnlocked()
    let other = try vault.openUnlocked()
    let administration = try store.administration(with: vault.credential)
    let before = try vault.raw().head()
    let lock = unsafe open(vault.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    let isChanged = Flag()
    var locking: Background<Void>?
    #expect(throws: VaultError(.locked)) {
      try administration.rotateKeys { _ in
        guard isChanged.isSet else {
          isChanged.set()
          // What changes now is sealed inside the transaction.
          try? other.set(SecretBytes("changed"), for: .numbered(1))
          return
        }
        guard flock(lock, LOCK_EX | LOCK_NB) != 0, locking == nil else { return }
        locking = Background { store.lock() }
        _ = eventually { store.lockState == .locked }
      }
    }
    try #require(locking).result().get()
    #expect(try vault.raw().head() == before)
    #expect(throws: VaultError(.locked)) { try administration.slots() }
    #expect(try other.secret(for: .numbered(1))?.text == "changed")
    #expect(try other.administration(with: vault.credential).check().isSound)
  }
}
