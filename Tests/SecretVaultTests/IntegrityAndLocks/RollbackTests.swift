import Foundation
import SecretVault
import TestSupport
import Testing

@Suite("Roll-back and forks")
struct RollbackTests {
  private let vault: TemporaryVault

  /// A vault with one item, closed.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.write(1, "base")
    try store.closeDrained()
  }

  /// Commits here, or on another machine.
  private func write(_ count: Int, _ prefix: String, onMachine name: String? = nil) throws {
    let store = try name.map { try vault.openUnlocked(onMachine: $0) } ?? vault.openUnlocked()
    try store.write(count, prefix)
    try store.closeDrained()
  }

  private func expectRefusal(_ code: VaultError.Code, onMachine name: String? = nil) {
    #expect(throws: VaultError(code)) {
      _ = try name.map { try vault.openUnlocked(onMachine: $0) } ?? vault.openUnlocked()
    }
  }

  @Test("M-1: an older copy of the file is rolled back, and both counters are told")
  func olderCopy() throws {
    let old = try vault.copy()
    try write(2, "later")
    try vault.put(old)
    let store = try vault.open()
    let error = #expect(throws: VaultError(.rolledBack)) {
      try store.unlock(with: vault.credential)
    }
    // One commit made the vault, and one the item; two were lost.
    #expect(error?.message.contains("commit 2)") == true)
    #expect(error?.message.contains("commit 4)") == true)
    #expect(throws: VaultError(.locked)) { try store.items() }
    #expect(throws: VaultError(.rolledBack)) { try store.administration(with: vault.credential) }
  }

  @Test("M-1: a file from before a change of slots is rolled back too")
  func olderSlots() throws {
    let old = try vault.copy()
    let store = try vault.openUnlocked()
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes("correct horse")))
    slot.log2N = 15
    try store.administration(with: vault.credential).addSlot(slot)
    try store.closeDrained()
    try vault.put(old)
    expectRefusal(.rolledBack)
  }

  @Test("M-1: a file that is put in place of an open one is not written to")
  func replacedWhileOpen() throws {
    let old = try vault.copy()
    let store = try vault.openUnlocked()
    try store.write(1, "later")
    try store.emptyLog()
    try vault.put(old)
    #expect(throws: VaultError(.vaultReplaced)) { try store.write(1, "lost") }
    store.close()
    expectRefusal(.rolledBack)
  }

  @Test("M-1: a file that is copied over an open one, its log removed, is not written to")
  func overwrittenWhileOpen() throws {
    let old = try Data(contentsOf: URL(fileURLWithPath: vault.path))
    let store = try vault.openUnlocked()
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: vault.path + suffix)
    }
    let file = try #require(FileHandle(forWritingAtPath: vault.path))
    try file.write(contentsOf: old)
    try file.close()
    #expect(throws: VaultError(.vaultReplaced)) { try store.write(1, "lost") }
    store.close()
  }

  @Test(
    "M-2: of two copies that were written independently, the second that is seen is refused",
    arguments: [
      (here: 2, there: 2, code: VaultError.Code.forked),
      (here: 1, there: 3, code: .forked),
      (here: 3, there: 1, code: .rolledBack),
    ]
  )
  func fork(_ here: Int, _ there: Int, _ code: VaultError.Code) throws {
    let base = try vault.copy()
    try write(here, "here")
    let ours = try vault.copy()
    try vault.put(base)
    try write(there, "there", onMachine: "other")
    expectRefusal(code)
    try vault.put(ours)
    let reverse = here > there ? VaultError.Code.forked : here == there ? .forked : .rolledBack
    expectRefusal(reverse, onMachine: "other")
    #expect(try vault.openUnlocked().items().items.count == here + 1)
  }

  @Test("M-2a: beside a writer that commits without pause, no opening sees a roll-back")
  func besideWriter() throws {
    let writer = BusyWriter(try vault.openUnlocked())
    for _ in 0..<200 {
      let store = try vault.open()
      #expect(throws: Never.self) { try store.unlock(with: vault.credential) }
      store.close()
    }
    #expect(try writer.stop() > 0)
  }

  @Test("M-3: an accepted backup goes on from above what was seen, and the newer file is refused")
  func acceptedBackup() throws {
    let old = try vault.copy()
    try write(3, "later")
    let newer = try vault.copy()
    try vault.put(old)
    let store = try vault.open()
    #expect(throws: VaultError(.rolledBack)) { try store.unlock(with: vault.credential) }
    try store.acceptRestore(with: vault.credential)
    try store.unlock(with: vault.credential)
    #expect(try store.items().items.count == 1)
    try store.closeDrained()
    #expect(try RawDatabase(vault.path).rows("SELECT counter FROM grp") == ["6"])
    let accepted = try vault.copy()
    try vault.put(newer)
    expectRefusal(.rolledBack)
    // More commits do not help it: the head was accepted too, and only an administrator moves that on.
    try write(9, "further", onMachine: "other")
    expectRefusal(.rolledBack)
    try vault.put(accepted)
    #expect(try vault.openUnlocked().items().items.count == 1)
  }

  @Test("M-3: nothing is accepted that does not verify")
  func tamperedBackup() throws {
    try vault.edit("UPDATE page SET tag = zeroblob(32)")
    #expect(throws: VaultError(.tampered)) {
      try vault.open().acceptRestore(with: vault.credential)
    }
  }
}
