import Foundation
import SecretVault
import TestSupport
import Testing

/// What is made beside a file under a temporary name takes no name that a person would give to a file of their own.
@Suite("Temporary names of copies")
struct TemporaryNameTests {
  private let vault: TemporaryVault
  private let item = ItemIdentity(service: "base-0")

  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.write(1, "base")
    try store.closeDrained()
  }

  private func backUp(to path: String) throws {
    let store = try vault.open()
    defer { store.close() }
    try store.administration(with: vault.credential).backup(to: path)
  }

  @Test(
    "a backup that lies beside the vault is restored and stays as it is, whatever it is called",
    arguments: [".restore", ".new", ".backup", ".bak", ".old"]
  )
  func restoreFromBeside(suffix: String) throws {
    let backup = vault.path + suffix
    try backUp(to: backup)
    let before = try Data(contentsOf: URL(fileURLWithPath: backup))
    let store = try vault.openUnlocked()
    try store.remove(item)
    try store.restore(from: backup, with: vault.credential)
    #expect(try store.secret(for: item) != nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == before)
    let report = try store.administration(with: vault.credential).check()
    #expect(report.isSound && !report.findings.contains { $0.message.contains("killed") })
  }

  @Test(
    "a backup leaves other backups alone that have names like its own",
    arguments: [".new", ".restore"]
  )
  func otherBackups(suffix: String) throws {
    try vault.makeBackupFolder()
    let other = vault.backupPath + suffix
    try backUp(to: other)
    try backUp(to: vault.backupPath)
    #expect(try vault.backupNames() == ["vault.backup", "vault.backup" + suffix])
    #expect(throws: Never.self) {
      try vault.openUnlocked().restore(from: other, with: vault.credential)
    }
  }

  @Test("making a vault leaves another vault alone that has a name like its own")
  func otherVault() throws {
    let path = vault.path + ".new"
    try backUp(to: path)
    try FileManager.default.removeItem(atPath: vault.path)
    try vault.create().close()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("a copy that somebody works at is not told as left by a killed program")
  func runningCopy() throws {
    let left = vault.path + ".unfinished"
    try vault.writePrivately(Data(repeating: 7, count: 100), to: left)
    let administration = try vault.open().administration(with: vault.credential)
    func isTold() throws -> Bool {
      try administration.check().findings.contains { $0.message.contains("killed") }
    }
    #expect(try isTold())
    let file = try #require(FileHandle(forUpdatingAtPath: left))
    #expect(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(try !isTold())
    try file.close()
    #expect(try isTold())
  }

  @Test("what a killed restore left cannot be restored itself, and is not touched then")
  func unfinishedCopy() throws {
    let left = vault.path + ".unfinished"
    try backUp(to: vault.folder + "/backup")
    try FileManager.default.copyItem(atPath: vault.folder + "/backup", toPath: left)
    let store = try vault.openUnlocked()
    #expect(throws: VaultError(.invalidArgument)) {
      try store.restore(from: left, with: vault.credential)
    }
    #expect(FileManager.default.fileExists(atPath: left))
  }

  @Test("no vault and no backup has the name of what is not whole yet, which a copy overwrites")
  func reservedName() throws {
    let reserved = vault.folder + "/other.unfinished"
    #expect(throws: VaultError(.invalidArgument)) {
      try SecretStore.create(
        at: reserved,
        protectedBy: [SecretStore.NewSlot(vault.credential)],
        options: vault.options
      )
    }
    #expect(throws: VaultError(.invalidArgument)) { try backUp(to: reserved) }
    #expect(!FileManager.default.fileExists(atPath: reserved))
    let backup = vault.folder + "/backup"
    try backUp(to: backup)
    try FileManager.default.moveItem(atPath: backup, toPath: reserved)
    let store = try vault.openUnlocked()
    #expect(throws: VaultError(.invalidArgument)) {
      try store.restore(from: reserved, with: vault.credential)
    }
    #expect(throws: VaultError(.invalidArgument)) { try SecretStore.open(at: reserved) }
  }
}
