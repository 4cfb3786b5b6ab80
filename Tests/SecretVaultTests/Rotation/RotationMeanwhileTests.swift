import Dispatch
import Glibc
import SecretVault
import TestSupport
import Testing

/// Others at work while the vault gets new keys.
@Suite("Rotations beside others")
struct RotationMeanwhileTests {
  private let vault: TemporaryVault
  private let itemCount = 400

  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create(alsoProtectedBy: [.passphrase("laptop")])
    try store.transaction { transaction in
      for number in 0..<itemCount {
        try transaction.set(SecretBytes("s"), for: ItemIdentity(service: "service-\(number)"))
      }
    }
    try store.closeDrained()
  }

  private func identity(_ number: Int) -> ItemIdentity {
    ItemIdentity(service: "service-\(number)")
  }

  @Test("what others write while items are sealed is in the rotated vault")
  func writesMeanwhile() throws {
    let other = try vault.openUnlocked()
    let administration = try vault.open().administration(with: vault.credential)
    let isDone = Flag()
    let report = try administration.rotate { _ in
      guard !isDone.isSet else { return }
      isDone.set()
      try? other.set(SecretBytes("changed"), for: identity(1))
      _ = try? other.remove(identity(2))
      try? other.set(SecretBytes("new"), for: ItemIdentity(service: "new"))
    }
    #expect(isDone.isSet)
    #expect(report.resealedItems == itemCount)
    let store = try vault.openUnlocked()
    #expect(try store.secret(for: identity(1))?.text == "changed")
    #expect(try store.secret(for: identity(2)) == nil)
    #expect(try store.secret(for: ItemIdentity(service: "new"))?.text == "new")
    #expect(try store.items().items.count == itemCount)
    #expect(try administration.check().isSound)
  }

  @Test("who accepts the vault with keys from before learns of the new ones")
  func acceptanceMeanwhile() throws {
    let (rotating, accepting) = (try vault.openUnlocked(), try vault.openUnlocked())
    let writer = try HeldWriteLock(vault)
    let rotation = Background { [vault] in
      _ = try rotating.administration(with: vault.credential).rotate()
    }
    #expect(eventually { HeldPlace.isTaken(0, vault) })
    let acceptance = Background { [vault] in
      _ = try accepting.acceptRestore(with: vault.credential)
    }
    #expect(eventually { HeldPlace.isTaken(1, vault) })
    writer.release()
    try rotation.result().get()
    #expect(throws: VaultError(.keysRotated)) { try acceptance.result().get() }
    #expect(try accepting.acceptRestore(with: vault.credential) == nil)
  }

  @Test("slots that another adds meanwhile are seen, and dropped by name")
  func slotMeanwhile() throws {
    let other = try vault.open().administration(with: vault.credential)
    let administration = try vault.open().administration(with: vault.credential)
    let isDone = Flag()
    var slot = SecretStore.NewSlot(.keyFile(contents: try Credential.makeKeyFile()))
    slot.label = "late"
    let late = slot
    let report = try administration.rotate { _ in
      guard !isDone.isSet else { return }
      isDone.set()
      _ = try? other.addSlot(late)
    }
    #expect(report.droppedSlots.map(\.label).contains("late"))
    #expect(try vault.unlockingCode(late.credential) == .credentialRejected)
    #expect(throws: VaultError(.keysRotated)) { try other.slots() }
    #expect(throws: VaultError(.locked)) { try other.slots() }
  }

  @Test("groups that another makes meanwhile are rotated too")
  func groupMeanwhile() throws {
    let other = try vault.open().administration(with: vault.credential)
    let administration = try vault.open().administration(with: vault.credential)
    try other.createGroup("late")
    try administration.rotate()
    let epochs = try RawDatabase(vault.path).rows("SELECT hex(substr(record, 17, 8)) FROM grp")
    #expect(epochs == ["0000000000000002", "0000000000000002"])
    let store = try vault.openUnlocked()
    #expect(store.openedGroups.sorted() == ["default", "late"])
  }

  @Test("the last passphrase takes the items of groups along that were made after the opening")
  func lastPassphraseOfNewGroup() throws {
    let administration = try vault.open().administration(with: vault.credential)
    let other = try vault.openUnlocked()
    try other.administration(with: vault.credential).createGroup("late")
    try other.unlock(with: vault.credential)
    let item = ItemIdentity(service: "needy", group: "late")
    try other.set(SecretBytes("x"), for: item, accessibility: .whenPasscodeSetThisDeviceOnly)
    let slot = try #require(try administration.slots().first { $0.needsPassphrase })
    #expect(try administration.removeSlot(slot.id) == 1)
    #expect(try other.item(for: item) == nil)
  }

  @Test(
    "C-7: a session of the former keys sees whole states only, then keysRotated, and works after an unlock"
  )
  func readers() throws {
    let reader = try vault.openUnlocked()
    let reading = Background { () -> (whole: Int, code: VaultError.Code?) in
      var whole = 0
      while true {
        do {
          let count = try reader.items().items.count
          guard count == itemCount else { return (whole, nil) }
          whole += 1
        } catch let error as VaultError {
          return (whole, error.code)
        }
      }
    }
    #expect(reading.result(within: .milliseconds(50)) == nil)
    try vault.open().administration(with: vault.credential).rotate()
    let result = try reading.result().get()
    #expect(result.whole > 0)
    #expect(result.code == .keysRotated)
    #expect(throws: VaultError(.locked)) { try reader.items() }
    #expect(reader.lockState == .beforeFirstUnlock)
    try reader.unlock(with: vault.credential)
    #expect(try reader.items().items.count == itemCount)
  }

  @Test("C-8: a writer that waits for a rotation writes nothing and gets keysRotated")
  func waitingWriter() throws {
    let writer = try vault.openUnlocked()
    let administration = try vault.open().administration(with: vault.credential)
    let database = try RawDatabase(vault.path)
    try database.execute("BEGIN IMMEDIATE")
    // The rotation takes the vault's lock and waits for SQLite's; the writer waits for the vault's.
    let rotation = Background { try administration.rotate() }
    let lock = unsafe open(vault.path + ".lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(
      eventually {
        if flock(lock, LOCK_EX | LOCK_NB) != 0 { return true }
        flock(lock, LOCK_UN)
        return false
      }
    )
    let writing = Background {
      try writer.set(SecretBytes("late"), for: ItemIdentity(service: "late"))
    }
    #expect(writing.result(within: .milliseconds(200)) == nil)
    try database.execute("ROLLBACK")
    #expect(try rotation.result().get().resealedItems == itemCount)
    #expect(throws: VaultError(.keysRotated)) { try writing.result().get() }
    #expect(try vault.openUnlocked().item(for: ItemIdentity(service: "late")) == nil)
  }

  @Test("C-9: of changes at the same time each happens whole, or not since the keys were rotated")
  func sameTime() throws {
    let laptop = Credential.passphrase(try SecretBytes("laptop"))
    let next = try SecretBytes("next")
    let first = try vault.open().administration(with: vault.credential)
    let second = try vault.open().administration(with: vault.credential)
    let third = try vault.open().administration(with: laptop)
    let changes = [
      Background { _ = try first.rotate() },
      Background { _ = try second.rotate() },
      Background { _ = try third.changePassphrase(to: next, log2N: 15) },
    ]
    var succeeded = 0
    for change in changes {
      switch change.result() {
      case .success: succeeded += 1
      case .failure(let error): #expect(error as? VaultError == VaultError(.keysRotated))
      }
    }
    #expect(succeeded > 0)
    let store = try vault.openUnlocked()
    #expect(try store.items().items.count == itemCount)
    #expect(try store.administration(with: vault.credential).check().isSound)
    let epoch = try RawDatabase(vault.path).rows("SELECT hex(substr(record, 25, 8)) FROM head")
    #expect(["0000000000000002"].contains(epoch[0]))
  }

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
      try administration.rotate { _ in
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
      try administration.rotate { _ in
        guard isChanged.isSet else {
          isChanged.set()
          // What changes now is sealed inside the transaction.
          try? other.set(SecretBytes("changed"), for: identity(1))
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
    #expect(try other.secret(for: identity(1))?.text == "changed")
    #expect(try other.administration(with: vault.credential).check().isSound)
  }

  @Test("four writers lose nothing beside rotations that follow each other")
  func busyWriters() throws {
    let isOver = Flag()
    let writers = (0..<4).map { number in
      Background { () -> (committed: Int, failures: [VaultError.Code]) in
        let store = try vault.openUnlocked()
        var committed = 0
        var failures: [VaultError.Code] = []
        while !isOver.isSet {
          do {
            try store.update(identity(0)) { _, secret in
              let value = secret.flatMap(\.text).flatMap { Int($0) } ?? 0
              secret = try SecretBytes("\(value + 1)")
            }
            committed += 1
            try store.set(SecretBytes("x"), for: ItemIdentity(service: "of writer \(number)"))
          } catch let error as VaultError {
            failures.append(error.code)
            try store.unlock(with: vault.credential)
          }
        }
        return (committed, failures)
      }
    }
    let administration = try vault.open().administration(with: vault.credential)
    var options = Rotation()
    options.log2N = 15
    for _ in 0..<6 { try administration.rotate(options) }
    isOver.set()
    let results = try writers.map { try $0.result().get() }
    let store = try vault.openUnlocked()
    let total = results.reduce(0) { $0 + $1.committed }
    #expect(total > 0)
    #expect(try store.secret(for: identity(0))?.text == "\(total)")
    for result in results { #expect(Set(result.failures).isSubset(of: [.keysRotated, .locked])) }
    #expect(try store.administration(with: vault.credential).check().isSound)
  }

  @Test("a rotation waits for another writer longer than other calls do")
  func patience() throws {
    var options = vault.options
    options.busyTimeoutMilliseconds = 50
    let store = try SecretStore.open(at: vault.path, options: options)
    let administration = try store.administration(with: vault.credential)
    let held = try HeldWriteLock(vault)
    #expect(throws: VaultError(.busy)) { try administration.addSlot(.passphrase("x")) }
    let rotation = Background { try administration.rotate() }
    #expect(rotation.result(within: .milliseconds(500)) == nil)
    held.release()
    #expect(try rotation.result().get().resealedItems == itemCount)
  }
}
