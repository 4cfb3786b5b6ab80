import SecretVault
import Testing
import VaultDatabase
import VaultFormat

@Suite("Administration at the limits")
struct AdministrationRegressionTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
    try store.set(SecretBytes("token"), for: item)
  }

  private func slot(_ number: Int, group: String? = nil) throws -> SecretStore.NewSlot {
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes("passphrase \(number)")))
    slot.log2N = 15
    slot.group = group
    return slot
  }

  @Test("a ninth passphrase is refused as one too many, and the vault stays as it was")
  func ninthPassphrase() throws {
    let administration = try store.administration(with: vault.credential)
    for number in 0..<8 { try administration.addSlot(slot(number)) }
    #expect(throws: VaultError(.limitExceeded)) { try administration.addSlot(slot(8)) }
    #expect(try administration.slots().count == 9)
    try vault.open().unlock(with: vault.credential)
  }

  @Test("a vault is not made with more passphrases than it may have")
  func nineAtOnce() throws {
    let other = try TemporaryVault()
    let slots = try (0..<9).map { try slot($0) }
    #expect(throws: VaultError(.limitExceeded)) { try other.create(alsoProtectedBy: slots) }
    _ = try other.create()
  }

  @Test("two groups never have one name, whoever makes them")
  func namesOfGroups() throws {
    let first = try store.administration(with: vault.credential)
    let second = try store.administration(with: vault.credential)
    try first.createGroup("work")
    #expect(throws: VaultError(.duplicateItem)) { try first.createGroup("work") }
    #expect(throws: VaultError(.duplicateItem)) { try second.createGroup("work") }
    #expect(throws: VaultError(.duplicateItem)) { try second.createGroup("default") }
    // Names are bytes: a composed and a decomposed letter are different names.
    try second.createGroup("caf\u{e9}")
    try first.createGroup("cafe\u{301}")
  }

  @Test("a check verifies the groups that others have made or given a new key since")
  func checkOfForeignGroups() throws {
    let first = try store.administration(with: vault.credential)
    let second = try store.administration(with: vault.credential)
    try second.createGroup("work")
    try store.set(SecretBytes("x"), for: ItemIdentity(service: "s", group: "work"))
    var report = try first.check()
    #expect(report.verifiedCount == 2)
    #expect(!report.findings.contains { $0.message.contains("belong to no item") })
    try second.rotate(Rotation(ofGroup: "work"))
    report = try first.check()
    #expect(report.verifiedCount == 2 && report.isSound)
  }

  @Test("a credential of two groups opens both")
  func twoGroups() throws {
    let administration = try store.administration(with: vault.credential)
    try administration.createGroup("work")
    try administration.createGroup("home")
    let again = try store.administration(with: vault.credential)
    let key = Credential.keyFile(contents: try Credential.makeKeyFile())
    for group in ["work", "home"] {
      var slot = SecretStore.NewSlot(key)
      slot.group = group
      try again.addSlot(slot)
    }
    let member = try vault.open()
    try member.unlock(with: key)
    #expect(member.openedGroups.sorted() == ["home", "work"])
    try member.set(SecretBytes("x"), for: ItemIdentity(service: "s", group: "home"))
    #expect(throws: VaultError(.notPermitted)) {
      try member.secret(for: ItemIdentity(service: "s", group: "default"))
    }
  }

  @Test("a head that is swapped back under an open administration is noticed")
  func swappedBack() throws {
    let administration = try store.administration(with: vault.credential)
    let connection = try SQLiteDatabase(path: vault.path, busyTimeout: 1000).connect(.readWrite)
    let head = try connection.head()
    let id = try administration.addSlot(slot(0))
    let added = try #require(try connection.slots().first { Identifier($0.id).hex == id })
    try connection.beginWrite()
    try connection.deleteSlot(id: added.id.span)
    try connection.putHead(head)
    try connection.commit()
    #expect(throws: VaultError(.rolledBack)) { try administration.slots() }
    #expect(throws: VaultError(.rolledBack)) { try administration.addSlot(slot(1)) }
  }

  @Test("administrations that change slots at the same time lose nothing of each other")
  func sameTime() throws {
    let administrations = try (0..<2).map { _ in
      try store.administration(with: vault.credential)
    }
    let additions = try administrations.enumerated().map { number, administration in
      let slots = try (0..<3).map { try slot(3 * number + $0) }
      return Background { for slot in slots { try administration.addSlot(slot) } }
    }
    for addition in additions { try addition.result().get() }
    #expect(try administrations[0].slots().count == 7)
    try vault.open().unlock(with: vault.credential)
  }

  @Test("an administration can change its passphrase twice")
  func changeTwice() throws {
    try store.administration(with: vault.credential).addSlot(slot(0))
    let administration = try store.administration(with: slot(0).credential)
    _ = try administration.changePassphrase(to: SecretBytes("second"), log2N: 15)
    _ = try administration.changePassphrase(to: SecretBytes("third"), log2N: 15)
    #expect(try administration.slots().count == 2)
    try vault.open().unlock(with: .passphrase(SecretBytes("third")))
  }
}
