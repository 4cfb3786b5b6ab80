import Foundation
import SecretVault
import TestSupport
import Testing

/// A restore takes no file that is not a private, whole backup of the same vault, and changes nothing where it refuses.
@Suite("Hostile backups")
struct HostileBackupTests {
  private let vault: TemporaryVault
  private let before: [String]

  private static let contents =
    "SELECT counter, hex(tag) FROM grp UNION ALL SELECT 0, hex(record) FROM head"

  init() throws {
    vault = try TemporaryVault()
    try vault.makeBackupFolder()
    let store = try vault.create()
    try store.write(40, "base")
    try store.administration(with: vault.credential).backup(to: vault.backupPath)
    try store.write(1, "later")
    try store.closeDrained()
    before = try RawDatabase(vault.path).rows(Self.contents)
  }

  private func expectRefusal(_ codes: VaultError.Code...) throws {
    let error = #expect(throws: VaultError.self) { try vault.restore() }
    #expect(error.map { codes.contains($0.code) } == true, "\(String(describing: error))")
    // The vault is sound, and nobody should mend it.
    let isOfDamage = codes.contains(.tampered)
    #expect(!isOfDamage || error?.message.hasPrefix("the backup is damaged; ") == true)
    #expect(try RawDatabase(vault.path).rows(Self.contents) == before)
    #expect(try vault.leftovers() == [])
    #expect(try vault.openUnlocked().items().items.count == 41)
  }

  private func edit(_ statements: String) throws {
    let file = try RawDatabase(vault.backupPath)
    try file.execute(statements)
    try file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  @Test("a backup that is missing, a folder, a link or a pipe is refused without waiting")
  func kinds() throws {
    let moved = vault.folder + "/backups/moved"
    try FileManager.default.moveItem(atPath: vault.backupPath, toPath: moved)
    try expectRefusal(.vaultMissing)
    try FileManager.default.createSymbolicLink(
      atPath: vault.backupPath,
      withDestinationPath: moved
    )
    try expectRefusal(.insecureFile)
    try FileManager.default.removeItem(atPath: vault.backupPath)
    #expect(unsafe mkfifo(vault.backupPath, 0o600) == 0)
    try expectRefusal(.insecureFile)
    try FileManager.default.removeItem(atPath: vault.backupPath)
    try FileManager.default.createDirectory(
      atPath: vault.backupPath,
      withIntermediateDirectories: false
    )
    try expectRefusal(.insecureFile)
  }

  @Test("a backup that is open to others, or has a second name, is refused")
  func modes() throws {
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: vault.backupPath)
    try expectRefusal(.insecureFile)
    try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: vault.backupPath)
    try manager.linkItem(atPath: vault.backupPath, toPath: vault.backupPath + ".link")
    try expectRefusal(.insecureFile)
  }

  @Test("a backup of another vault is refused, also where the credential opens it")
  func otherVault() throws {
    try FileManager.default.removeItem(atPath: vault.backupPath)
    let slot = SecretStore.NewSlot(vault.credential)
    let other = try SecretStore.create(
      at: vault.folder + "/other/other.vault",
      protectedBy: [slot],
      options: vault.options
    )
    try other.administration(with: vault.credential).backup(to: vault.backupPath)
    other.close()
    try expectRefusal(.vaultReplaced)
  }

  @Test("a backup that is cut anywhere is refused", arguments: [0, 1, 512, 4096, 8192, 20_000])
  func truncated(length: Int) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: vault.backupPath))
    try file.truncate(atOffset: UInt64(length))
    try file.close()
    try expectRefusal(.notAVault, .corruptHeader, .tampered)
  }

  @Test("a backup with one byte changed in any page is refused")
  func flipped() throws {
    let sound = try Data(contentsOf: URL(fileURLWithPath: vault.backupPath))
    for page in 0..<(sound.count / 4096) {
      var bytes = sound
      // The end of a page holds its first row; on the first page it is the schema.
      let offset = page * 4096 + 4096 - 20
      guard bytes[offset] != 0 else { continue }
      bytes[offset] ^= 0x40
      try vault.writePrivately(bytes, to: vault.backupPath)
      let error = #expect(throws: VaultError.self, "page \(page)") { try vault.restore() }
      let refusals: [VaultError.Code?] = [
        .notAVault, .corruptHeader, .tampered, .credentialRejected,
      ]
      #expect(refusals.contains(error?.code), "page \(page): \(String(describing: error))")
    }
    #expect(try RawDatabase(vault.path).rows(Self.contents) == before)
  }

  @Test(
    "a backup that was edited is refused",
    arguments: [
      "DELETE FROM claim WHERE box = 1", "DELETE FROM box WHERE id = 1",
      "UPDATE box SET secret = (SELECT secret FROM box WHERE id = 2) WHERE id = 1",
      "UPDATE grp SET counter = counter + 1000", "DELETE FROM slot", "DELETE FROM grp",
      "CREATE TABLE more (x)",
      "CREATE TRIGGER t AFTER INSERT ON box BEGIN DELETE FROM slot; END",
      "CREATE VIEW v AS SELECT 1",
      "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM; PRAGMA journal_mode = WAL",
    ]
  )
  func edited(statements: String) throws {
    try edit(statements)
    try expectRefusal(.notAVault, .corruptHeader, .tampered)
  }

  @Test("a file of another kind, and a database without the tables, are refused")
  func otherFiles() throws {
    try vault.writePrivately(Data("no vault at all".utf8), to: vault.backupPath)
    try expectRefusal(.notAVault)
    try vault.writePrivately(Data(), to: vault.backupPath)
    try expectRefusal(.notAVault)
    try RawDatabase(vault.backupPath).execute("CREATE TABLE head (x)")
    try expectRefusal(.notAVault)
  }

  @Test("the vault itself is no backup of it")
  func itself() throws {
    let store = try vault.open()
    #expect(throws: VaultError(.invalidArgument)) {
      try store.restore(from: vault.path, with: vault.credential)
    }
    #expect(try vault.openUnlocked().items().items.count == 41)
  }

  @Test("a wrong credential, and one of an access group alone, restore nothing")
  func credentials() throws {
    let store = try vault.open()
    let group = Credential.keyFile(contents: try Credential.makeKeyFile())
    let stranger = Credential.keyFile(contents: try Credential.makeKeyFile())
    let administration = try store.administration(with: vault.credential)
    var slot = SecretStore.NewSlot(group)
    slot.group = "default"
    try administration.addSlot(slot)
    let shared = vault.folder + "/backups/shared"
    try administration.backup(to: shared)
    let state = try RawDatabase(vault.path).rows(Self.contents)
    for (credential, code) in [
      (stranger, VaultError.Code.credentialRejected), (group, .notPermitted),
    ] {
      #expect(throws: VaultError(code)) { try store.restore(from: shared, with: credential) }
    }
    #expect(try RawDatabase(vault.path).rows(Self.contents) == state)
    #expect(try vault.leftovers() == [])
  }

  @Test("a vault that is only read is not restored")
  func readOnly() throws {
    var options = vault.options
    options.isReadOnly = true
    let store = try SecretStore.open(at: vault.path, options: options)
    #expect(throws: VaultError(.readOnly)) {
      try store.restore(from: vault.backupPath, with: vault.credential)
    }
  }
}
