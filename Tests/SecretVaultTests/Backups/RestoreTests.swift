import Foundation
import SecretVault
import TestSupport
import Testing

@Suite("Restores")
struct RestoreTests {
  private let vault: TemporaryVault

  /// A vault that was backed up with one item and then got two others.
  init() throws {
    vault = try TemporaryVault()
    try vault.makeBackupFolder()
    let store = try vault.create()
    try store.write(1, "base")
    try store.administration(with: vault.credential).backup(to: vault.backupPath)
    try store.write(2, "later")
    try store.closeDrained()
  }

  private func names(_ store: SecretStore) throws -> [String] {
    try store.items().items.map { $0.identity.service.text ?? "" }.sorted()
  }

  @Test("a restored vault has what the backup had, raises no alarm, and can be written to")
  func restore() throws {
    let report = try vault.restore()
    #expect(report.itemCount == 1 && report.removedItems.isEmpty && report.rotation == nil)
    let store = try vault.openUnlocked()
    #expect(store.takeNotices() == [])
    #expect(try names(store) == ["base-0"])
    try store.write(1, "new")
    #expect(try store.administration(with: vault.credential).check().isSound)
    #expect(try vault.leftovers() == [])
  }

  @Test("the counters jump above those of the vault, and the vault from before is rolled back")
  func counters() throws {
    let newer = try vault.copy()
    let before = try RawDatabase(vault.path).rows("SELECT counter FROM grp").compactMap(Int.init)
    try vault.restore()
    let after = try RawDatabase(vault.path).rows("SELECT counter FROM grp").compactMap(Int.init)
    #expect(after == before.map { $0 + 1 })
    try vault.put(newer)
    #expect(throws: VaultError(.rolledBack)) { try vault.openUnlocked() }
  }

  @Test("a program that has the vault open sees the restored items at once, and goes on")
  func openElsewhere() throws {
    let other = try vault.openUnlocked()
    #expect(try names(other).count == 3)
    try vault.restore()
    #expect(try names(other) == ["base-0"])
    try other.write(1, "after")
    #expect(try names(try vault.openUnlocked()) == ["after-0", "base-0"])
  }

  @Test("a program with a group open that the restore takes back is closed, without alarm")
  func goneGroup() throws {
    try vault.openUnlocked().administration(with: vault.credential).createGroup("later")
    let other = try vault.openUnlocked()
    #expect(try names(other).count == 3)
    try vault.restore()
    #expect(throws: VaultError(.keysRotated)) { try other.items() }
    try other.unlock(with: vault.credential)
    #expect(try names(other) == ["base-0"] && other.openedGroups == ["default"])
  }

  @Test("a machine that wrote the vault last sees a successor after a restore, and no fork")
  func otherMachine() throws {
    let other = try vault.openUnlocked(onMachine: "other")
    try other.write(5, "other")
    try vault.restore()
    #expect(try names(other) == ["base-0"])
    other.close()
    let again = try vault.openUnlocked(onMachine: "other")
    #expect(again.takeNotices() == [])
  }

  @Test("restoring twice, and restoring an older backup after a newer, works")
  func repeated() throws {
    let store = try vault.open()
    let newer = vault.folder + "/backups/newer"
    try store.administration(with: vault.credential).backup(to: newer)
    for _ in 0..<2 { try store.restore(from: newer, with: vault.credential) }
    #expect(try names(try vault.openUnlocked()).count == 3)
    try store.restore(from: vault.backupPath, with: vault.credential)
    #expect(try names(try vault.openUnlocked()) == ["base-0"])
  }

  @Test("a restore goes on over a vault that gets new keys while it is prepared")
  func besideRotation() throws {
    let store = try vault.open()
    for _ in 0..<20 {
      let rotation = Background { [vault] in
        try vault.open().administration(with: vault.credential).rotate()
      }
      #expect(throws: Never.self) {
        try store.restore(from: vault.backupPath, with: vault.credential)
      }
      if case .failure(let error) = rotation.result() {
        #expect((error as? VaultError)?.code == .keysRotated)
      }
    }
    let after = try vault.openUnlocked()
    #expect(try after.administration(with: vault.credential).check().isSound)
  }

  @Test("what another has committed until the restore is overwritten, and later commits are kept")
  func besideWriter() throws {
    let other = try vault.openUnlocked()
    let writer = BusyWriter(other)
    for _ in 0..<10 { try vault.restore() }
    #expect(try writer.stop() > 0)
    try other.set(SecretBytes("last"), for: ItemIdentity(service: "busy"))
    let store = try vault.openUnlocked()
    #expect(try store.secret(for: ItemIdentity(service: "busy"))?.text == "last")
    #expect(try store.administration(with: vault.credential).check().isSound)
  }

  @Test("items that are to be revalidated ask for it after a restore, until they are written again")
  func revalidation() throws {
    let identity = ItemIdentity(service: "base-0")
    let store = try vault.openUnlocked()
    try store.update(identity) { item, _ in item.mustRevalidate = true }
    #expect(try store.secret(for: identity)?.text == "secret")
    let marked = vault.folder + "/backups/marked"
    try store.administration(with: vault.credential).backup(to: marked)
    try store.restore(from: marked, with: vault.credential)
    #expect(throws: VaultError(.needsRevalidation)) { try store.secret(for: identity) }
    try store.set(SecretBytes("fresh"), for: identity)
    #expect(try store.secret(for: identity)?.text == "fresh")
  }

  @Test("a vault with damaged rows, whose head can be read, is mended by a restore")
  func damagedVault() throws {
    try vault.edit("UPDATE page SET tag = zeroblob(32); UPDATE grp SET tag = zeroblob(32)")
    #expect(throws: VaultError(.tampered)) { try vault.openUnlocked() }
    try vault.restore()
    let store = try vault.openUnlocked()
    #expect(try names(store) == ["base-0"])
    #expect(try store.administration(with: vault.credential).check().isSound)
  }

  @Test("the slots are those of the backup: a passphrase that was changed since opens it again")
  func formerPassphrase() throws {
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes("former")))
    slot.log2N = 15
    let store = try vault.open()
    try store.administration(with: vault.credential).addSlot(slot)
    let former = vault.folder + "/backups/former"
    try store.administration(with: vault.credential).backup(to: former)
    let old = Credential.passphrase(try SecretBytes("former"))
    let new = Credential.passphrase(try SecretBytes("present"))
    let administration = try store.administration(with: old)
    _ = try administration.changePassphrase(to: SecretBytes("present"), log2N: 15)
    #expect(throws: VaultError(.credentialRejected)) { try store.restore(from: former, with: new) }
    try store.restore(from: former, with: old)
    #expect(throws: VaultError(.credentialRejected)) { try store.unlock(with: new) }
    try store.unlock(with: old)
  }

  @Test("keys that were rotated since do not come back: the restored items get new ones")
  func rotatedSince() throws {
    let store = try vault.open()
    try store.administration(with: vault.credential).rotate()
    let epochs = "SELECT hex(substr(record, 17, 8)) FROM grp"
    let rotated = try RawDatabase(vault.path).rows(epochs)
    let report = try store.restore(from: vault.backupPath, with: vault.credential)
    #expect(report.rotation?.resealedItems == 1)
    let restored = try RawDatabase(vault.path).rows(epochs)
    #expect(zip(rotated, restored).allSatisfy { $0 < $1 })
    try store.unlock(with: vault.credential)
    #expect(try names(store) == ["base-0"])
    #expect(try store.administration(with: vault.credential).check().isSound)
  }
}
