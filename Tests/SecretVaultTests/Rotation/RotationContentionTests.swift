import Dispatch
import Glibc
import SecretVault
import TestSupport
import Testing

/// Readers, writers and administrations that meet a rotation.
@Suite("Readers and writers at a rotation")
struct RotationContentionTests {
  private let vault: TemporaryVault
  private let itemCount = 400

  init() throws { vault = try .withNumberedItems(itemCount) }

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
            try store.update(.numbered(0)) { _, secret in
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
    #expect(try store.secret(for: .numbered(0))?.text == "\(total)")
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
