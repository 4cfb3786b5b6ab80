import SecretVault
import TestSupport
import Testing

@Suite("Writers in turn")
struct WriteTurnTests {
  private let vault: TemporaryVault
  private let item = ItemIdentity.of(.whenUnlocked)

  init() throws {
    vault = try TemporaryVault()
    try vault.createClosed { store in try store.set(SecretBytes("token"), for: item) }
  }

  @Test("a writer lets the one in front go first, but waits for one that was stopped only a moment")
  func stoppedInFront() throws {
    let store = try vault.openUnlocked()
    let front = try HeldPlace(0, vault)
    let start = ContinuousClock.now
    try store.set(SecretBytes("changed"), for: item)
    #expect(ContinuousClock.now - start >= .milliseconds(250))
    #expect(try store.secret(for: item)?.text == "changed")
    front.leave()
  }

  @Test("who waits for the lock has the first place, and leaves it with the lock")
  func placeOfOneWhoWaits() throws {
    let store = try vault.openUnlocked()
    let writer = try HeldWriteLock(vault)
    let write = Background { try store.set(SecretBytes("changed"), for: .of(.whenUnlocked)) }
    #expect(eventually { HeldPlace.isTaken(0, vault) })
    writer.release()
    try write.result().get()
    #expect(!HeldPlace.isTaken(0, vault))
  }

  @Test("a newcomer stands behind all who wait, and moves up when one of them leaves")
  func order() throws {
    let store = try vault.openUnlocked()
    let writer = try HeldWriteLock(vault)
    let front = try HeldPlace(0, vault)
    let second = try HeldPlace(1, vault)
    let write = Background { try store.set(SecretBytes("changed"), for: .of(.whenUnlocked)) }
    #expect(eventually { HeldPlace.isTaken(2, vault) })
    second.leave()
    #expect(eventually { HeldPlace.isTaken(1, vault) && !HeldPlace.isTaken(2, vault) })
    front.leave()
    writer.release()
    try write.result().get()
    #expect((0..<3).allSatisfy { !HeldPlace.isTaken($0, vault) })
  }

  @Test("the log is not emptied while somebody waits to write")
  func logOfTheBusy() throws {
    let store = try vault.openUnlocked()
    try store.set(SecretBytes("changed"), for: item)
    let front = try HeldPlace(0, vault)
    #expect(try !store.emptyLog())
    front.leave()
    #expect(try store.emptyLog())
  }

  @Test("who gives up leaves the first place")
  func placeOfOneWhoGaveUp() throws {
    var options = vault.options
    options.busyTimeoutMilliseconds = 20
    let store = try SecretStore.open(at: vault.path, options: options)
    try store.unlock(with: vault.credential)
    let writer = try HeldWriteLock(vault)
    #expect(throws: VaultError(.busy)) { try store.set(SecretBytes("changed"), for: item) }
    #expect(!HeldPlace.isTaken(0, vault))
    writer.release()
  }

  @Test("a lock of the vault ends a write that does not even have the first place")
  func lockBehindTheFirst() throws {
    let writer = try HeldWriteLock(vault)
    let front = try HeldPlace(0, vault)
    try expectLockToEndWrite(of: vault)
    front.leave()
    writer.release()
  }
}
