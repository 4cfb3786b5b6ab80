import Foundation
import SecretVault
import TestSupport
import Testing

@Suite("Backups")
struct BackupTests {
  private let vault: TemporaryVault

  init() throws {
    vault = try TemporaryVault()
    try vault.makeBackupFolder()
    let store = try vault.create()
    for accessibility in Accessibility.allCases
    where accessibility != .whenPasscodeSetThisDeviceOnly {
      try store.set(SecretBytes("token"), for: .of(accessibility), accessibility: accessibility)
    }
    try store.closeDrained()
  }

  /// Opens the backup as a vault, on a machine that never saw it.
  private func openBackup() throws -> SecretStore {
    var options = vault.options
    options.stateDirectory = vault.folder + "/state-of-backup"
    let store = try SecretStore.open(at: vault.backupPath, options: options)
    try store.unlock(with: vault.credential)
    return store
  }

  @Test("a backup is one file of mode 0600, with every row of the vault as it is")
  func exactCopy() throws {
    try vault.backUp()
    #expect(try vault.backupNames() == ["vault.backup"])
    let attributes = try FileManager.default.attributesOfItem(atPath: vault.backupPath)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    for table in ["head", "slot", "grp", "page", "claim", "box"] {
      let query = "SELECT * FROM \(table)"
      #expect(try RawDatabase(vault.backupPath).rows(query) == RawDatabase(vault.path).rows(query))
    }
  }

  @Test("a backup is made of what is only in the write-ahead log so far")
  func logged() throws {
    let store = try vault.openUnlocked()
    try store.write(3, "logged")
    try store.administration(with: vault.credential).backup(to: vault.backupPath)
    let copy = try openBackup()
    #expect(try copy.items().items.count == 3 + 2)
    copy.close()
  }

  @Test("backups beside a writer that commits without pause are one state each, and do not stop it")
  func besideWriter() throws {
    let isDone = Flag()
    let writer = try vault.openUnlocked()
    let administration = try vault.open().administration(with: vault.credential)
    let writing = Background {
      var count = 0
      while !isDone.isSet {
        try writer.transaction { transaction in
          for name in ["left", "right"] {
            try transaction.set(SecretBytes("\(count)"), for: ItemIdentity(service: name))
          }
        }
        count += 1
      }
      return count
    }
    for _ in 0..<20 {
      try? FileManager.default.removeItem(atPath: vault.backupPath)
      try administration.backup(to: vault.backupPath)
      var options = vault.options
      options.stateDirectory = vault.folder + "/state-" + UUID().uuidString
      options.isReadOnly = true
      let copy = try SecretStore.open(at: vault.backupPath, options: options)
      try copy.unlock(with: vault.credential)
      let left = try copy.secret(for: ItemIdentity(service: "left"))?.text
      let right = try copy.secret(for: ItemIdentity(service: "right"))?.text
      #expect(left == right)
      copy.close()
    }
    isDone.set()
    #expect(try writing.result().get() > 20)
  }

  @Test("a backup neither reads nor moves an anchor")
  func anchors() throws {
    let administration = try vault.open().administration(with: vault.credential)
    try FileManager.default.removeItem(atPath: vault.statePath + "/anchors")
    try administration.backup(to: vault.backupPath)
    #expect(!FileManager.default.fileExists(atPath: vault.statePath + "/anchors"))
  }

  @Test("a name that is taken is refused and what has it is left alone")
  func takenName() throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: vault.backupPath))
    #expect(throws: VaultError(.vaultExists)) { try vault.backUp() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: vault.backupPath)) == Data("mine".utf8))
    #expect(try vault.backupNames() == ["vault.backup"])
  }

  @Test(
    "the log that an earlier file of the name left is not read into a backup",
    arguments: ["-wal", "-journal"]
  )
  func logOfEarlierFile(suffix: String) throws {
    let store = try vault.openUnlocked()
    try store.write(3, "logged")
    let log = try Data(contentsOf: URL(fileURLWithPath: vault.path + "-wal"))
    store.close()
    try vault.writePrivately(log, to: vault.backupPath + suffix)
    #expect(throws: VaultError(.vaultExists)) { try vault.backUp() }
    #expect(try vault.backupNames() == ["vault.backup" + suffix])
    try vault.writePrivately(Data(), to: vault.backupPath + suffix)
    try vault.backUp()
    #expect(try vault.restore().itemCount == 3 + 4)
  }

  @Test("a folder that others can write to, or that is not there, gets no backup")
  func folders() throws {
    let folder = vault.folder + "/backups"
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    #expect(throws: VaultError(.insecureFile)) { try vault.backUp() }
    try FileManager.default.removeItem(atPath: folder)
    #expect(throws: VaultError(.inputOutput)) { try vault.backUp() }
  }

  @Test(
    "a vault that is damaged anywhere gives no backup",
    arguments: [
      "UPDATE box SET secret = zeroblob(length(secret)) WHERE id = 1",
      "UPDATE box SET attributes = zeroblob(length(attributes)) WHERE id = 1",
      "DELETE FROM box WHERE id = 1", "UPDATE page SET tag = zeroblob(32)",
      "DELETE FROM claim WHERE box = 1",
    ]
  )
  func damagedVault(edit: String) throws {
    try vault.edit(edit)
    #expect(throws: VaultError(.tampered)) { try vault.backUp() }
    #expect(try vault.backupNames() == [])
  }

  @Test("what a killed backup left is taken over, its log too, and a running one is not disturbed")
  func leftOver() throws {
    let temporary = vault.backupPath + ".unfinished"
    try vault.writePrivately(Data(repeating: 7, count: 100_000), to: temporary)
    try vault.writePrivately(Data(repeating: 7, count: 5_000), to: temporary + "-journal")
    let file = try #require(FileHandle(forUpdatingAtPath: temporary))
    #expect(flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(throws: VaultError(.busy)) { try vault.backUp() }
    #expect(
      try vault.backupNames() == ["vault.backup.unfinished", "vault.backup.unfinished-journal"]
    )
    try file.close()
    try vault.backUp()
    #expect(try vault.backupNames() == ["vault.backup"])
    #expect(try openBackup().items().items.count == 2)
  }

  @Test("a link or a pipe under the temporary name is neither followed nor waited for")
  func occupiedTemporaryName() throws {
    let temporary = vault.backupPath + ".unfinished"
    let other = vault.folder + "/other"
    try vault.writePrivately(Data("mine".utf8), to: other)
    try FileManager.default.createSymbolicLink(atPath: temporary, withDestinationPath: other)
    #expect(throws: VaultError(.insecureFile)) { try vault.backUp() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("mine".utf8))
    try FileManager.default.removeItem(atPath: temporary)
    #expect(unsafe mkfifo(temporary, 0o600) == 0)
    #expect(throws: VaultError(.insecureFile)) { try vault.backUp() }
  }

  @Test("a lock of the vault ends the administration, and no backup is written with it")
  func locked() throws {
    let store = try vault.openUnlocked()
    let administration = try store.administration(with: vault.credential)
    store.lock()
    #expect(throws: VaultError(.locked)) { try administration.backup(to: vault.backupPath) }
    #expect(try vault.backupNames() == [])
  }

  @Test("a backup opens as a vault of its own, which says that its age cannot be checked")
  func opens() throws {
    try vault.backUp()
    let copy = try openBackup()
    #expect(copy.takeNotices() == [.firstSeen])
    #expect(try copy.secret(for: .of(.whenUnlocked))?.text == "token")
    #expect(throws: VaultError(.notOnThisDevice)) {
      try copy.secret(for: .of(.whenUnlockedThisDeviceOnly))
    }
    copy.close()
  }
}
