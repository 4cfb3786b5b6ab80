import SecretVault
import TestSupport
import Testing
import VaultFormat

@Suite("Slots at a rotation")
struct RotationSlotTests {
  private let rotated: RotatedVault
  private var vault: TemporaryVault { rotated.vault }

  init() throws {
    rotated = try RotatedVault()
  }

  private func ids() throws -> [String: String] {
    let store = try vault.open()
    defer { store.close() }
    let slots = try store.administration(with: vault.credential).slots()
    return Dictionary(uniqueKeysWithValues: slots.map { ($0.label, $0.id) })
  }

  @Test("slots whose credential was not given are dropped and named, and open nothing any more")
  func dropped() throws {
    let ids = try ids()
    let report = try rotated.rotate()
    #expect(
      Set(report.droppedSlots.map { [$0.id, $0.label] })
        == [[ids["laptop"], "laptop"], [ids["ci"], "ci"]]
    )
    #expect(try vault.unlockingCode() == nil)
    #expect(try vault.unlockingCode(rotated.passphrase) == .credentialRejected)
    #expect(try vault.unlockingCode(rotated.workKey) == .credentialRejected)
  }

  @Test("slots whose credential was given stay, with id and label, a new salt and the local cost")
  func kept() throws {
    let ids = try ids()
    let before = try vault.raw().head()
    var rotation = Rotation()
    rotation.keptCredentials = [rotated.passphrase, rotated.workKey]
    #expect(try rotated.rotate(rotation).droppedSlots.isEmpty)
    #expect(try self.ids() == ids)
    for credential in [vault.credential, rotated.passphrase, rotated.workKey] {
      #expect(try vault.unlockingCode(credential) == nil)
    }
    let after = try vault.raw().head()
    let salts = { (head: RawHead) in Set(head.slots.map { Array($0.record[40..<64]) }) }
    #expect(salts(before).isDisjoint(with: salts(after)))
  }

  @Test("one credential keeps every slot that it opens, of the vault and of groups")
  func keptTogether() throws {
    let store = try vault.open()
    var slot = SecretStore.NewSlot(vault.credential, label: "same key")
    slot.group = "work"
    try store.administration(with: vault.credential).addSlot(slot)
    store.close()
    let report = try rotated.rotate()
    #expect(report.droppedSlots.map(\.label).sorted() == ["ci", "laptop"])
    #expect(try ids().keys.sorted() == ["", "same key"])
  }

  @Test("a slot that needs passphrase, key file and device is kept whole")
  func allFactors() throws {
    let store = try vault.open()
    let line = try Credential.makeKeyFile()
    let credential = Credential.passphrase(try SecretBytes("both"), keyFileContents: line)
    var slot = SecretStore.NewSlot(credential.boundToDevice, label: "all")
    slot.log2N = 15
    try store.administration(with: vault.credential).addSlot(slot)
    store.close()
    let report = try rotated.rotate(with: credential)
    #expect(report.droppedSlots.count == 3)
    #expect(try vault.unlockingCode(credential) == nil)
    #expect(
      try vault.unlockingCode(credential, state: vault.folder + "/other") == .credentialRejected
    )
  }

  @Test("a credential to keep that opens none of the slots is refused, and nothing is changed")
  func uselessCredential() throws {
    let before = try vault.raw().head()
    var rotation = Rotation()
    rotation.keptCredentials = [.keyFile(contents: try Credential.makeKeyFile())]
    #expect(throws: VaultError(.credentialRejected)) { try rotated.rotate(rotation) }
    // It opens a slot, but none that the group's new key concerns.
    rotation = Rotation(ofGroup: "work")
    rotation.keptCredentials = [rotated.passphrase]
    #expect(throws: VaultError(.credentialRejected)) { try rotated.rotate(rotation) }
    #expect(try vault.raw().head() == before)
  }

  @Test("a slot that is revoked goes even where its credential was given")
  func revoked() throws {
    let ids = try ids()
    var rotation = Rotation(ofGroup: "work")
    rotation.keptCredentials = [rotated.workKey]
    #expect(try rotated.rotate(rotation).droppedSlots.isEmpty)
    rotation.revokedSlots = [try #require(ids["ci"])]
    #expect(try rotated.rotate(rotation).droppedSlots.map(\.label) == ["ci"])
    #expect(try vault.unlockingCode(rotated.workKey) == .credentialRejected)
  }

  @Test("only slots of the keys that change can be revoked")
  func revokedElsewhere() throws {
    let ids = try ids()
    var rotation = Rotation(ofGroup: "work")
    for id in [try #require(ids["laptop"]), String(repeating: "0", count: 32)] {
      rotation.revokedSlots = [id]
      #expect(throws: VaultError(.invalidArgument)) { try rotated.rotate(rotation) }
    }
  }

  @Test("the slot of the administration itself is not revoked where no other would stay")
  func revokedSelf() throws {
    var rotation = Rotation()
    rotation.revokedSlots = [try #require(try ids()[""])]
    #expect(throws: VaultError(.invalidArgument)) { try rotated.rotate(rotation) }
    rotation.keptCredentials = [rotated.passphrase]
    try rotated.rotate(rotation)
    #expect(try vault.unlockingCode(rotated.passphrase) == nil)
    #expect(try vault.unlockingCode() == .credentialRejected)
  }

  @Test("eight passphrases of the highest cost that fits together are all kept")
  func eightPassphrases() throws {
    let texts = (0..<8).map { "passphrase \($0)" }
    let many = try RotatedVault(passphrases: texts)
    var rotation = Rotation()
    rotation.keptCredentials = try texts.map { .passphrase(try SecretBytes($0)) }
    #expect(try many.rotate(rotation).droppedSlots.map(\.label) == ["ci"])
    #expect(try many.vault.unlockingCode(rotation.keptCredentials[7]) == nil)
  }

  @Test("items that need a passphrase go with the last one, in the same commit")
  func lastPassphrase() throws {
    let report = try rotated.rotate()
    #expect(report.itemsRemovedWithPassphrase == 1)
    #expect(report.resealedItems == Accessibility.allCases.count)
    let classes = try RawDatabase(vault.path).rows("SELECT class FROM claim")
    #expect(!classes.contains("19"))
    #expect(try RawDatabase(vault.path).rows("SELECT count(*) FROM box") == ["\(classes.count)"])
    #expect(try rotated.isSound())
  }

  @Test("a group that keeps a passphrase of its own keeps the items that need one")
  func passphraseOfGroup() throws {
    let store = try vault.openUnlocked()
    var slot = try SecretStore.NewSlot.passphrase("of work")
    slot.group = "work"
    try store.administration(with: vault.credential).addSlot(slot)
    let item = ItemIdentity(service: "needy", group: "work")
    try store.set(SecretBytes("x"), for: item, accessibility: .whenPasscodeSetThisDeviceOnly)
    store.close()
    var rotation = Rotation()
    rotation.keptCredentials = [slot.credential]
    let report = try rotated.rotate(rotation)
    #expect(report.itemsRemovedWithPassphrase == 1)
    #expect(try vault.openUnlocked().secret(for: item)?.text == "x")
  }
}
