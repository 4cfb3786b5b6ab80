import SecretVault
import Testing

@Suite("Administration of access groups")
struct GroupAdministrationTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let administration: VaultAdministration

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
    administration = try store.administration(with: vault.credential)
  }

  private func item(_ group: String) -> ItemIdentity {
    ItemIdentity(service: "api.example.com", group: group)
  }

  @Test("a store that is unlocked with the whole vault can use a new group at once")
  func usableAtOnce() throws {
    try administration.createGroup("work")
    #expect(store.openedGroups == ["default", "work"])
    try store.set(SecretBytes("token"), for: item("work"))
    #expect(try store.secret(for: item("work"))?.text == "token")
    #expect(try store.items().items.map(\.identity.group) == ["work"])
    store.lock()
    #expect(throws: VaultError(.locked)) { try store.secret(for: item("work")) }
    try store.unlock(with: vault.credential)
    #expect(try store.secret(for: item("work"))?.text == "token")
  }

  @Test("a store that is locked, or opened with one group, does not get a new group")
  func notForOthers() throws {
    let key = try Credential.makeKeyFile()
    try administration.addSlot(GroupVault.slot(key, opening: "default"))
    let member = try vault.open()
    try member.unlock(with: .keyFile(contents: key))
    try member.administration(with: vault.credential).createGroup("first")
    #expect(member.openedGroups == ["default"])
    #expect(throws: VaultError(.notPermitted)) { try member.secret(for: item("first")) }
    store.lock()
    try store.administration(with: vault.credential).createGroup("second")
    #expect(store.openedGroups.isEmpty)
    try store.unlock(with: vault.credential)
    #expect(store.openedGroups.sorted() == ["default", "first", "second"])
  }

  @Test("an administration that made a group shares it, counts its items and checks them")
  func sharedAtOnce() throws {
    try administration.createGroup("work")
    let key = try Credential.makeKeyFile()
    let slot = try administration.addSlot(GroupVault.slot(key, opening: "work"))
    try store.set(SecretBytes("token"), for: item("work"))
    let groups = try administration.groups()
    #expect(groups.map(\.name) == ["default", "work"])
    #expect(groups.map(\.itemCount) == [0, 1])
    #expect(groups.map(\.slots) == [[], [slot]])
    #expect(Set(groups.map(\.id.count)) == [32])
    #expect(try administration.check().verifiedCount == 1)
    let member = try vault.open()
    try member.unlock(with: .keyFile(contents: key))
    #expect(try member.secret(for: item("work"))?.text == "token")
  }

  @Test("a slot says which group it opens")
  func reach() throws {
    try administration.createGroup("work")
    let key = try Credential.makeKeyFile()
    let id = try administration.addSlot(GroupVault.slot(key, opening: "work"))
    let slots = try administration.slots()
    #expect(slots.filter { $0.id == id }.map(\.groupName) == ["work"])
    #expect(slots.filter { $0.id != id }.map(\.groupName) == [nil])
    #expect(slots.count(where: \.opensOneGroup) == 1)
  }

  @Test("a slot of a group that is not there, or of a new vault, is refused")
  func refusedSlots() throws {
    let slot = GroupVault.slot(try Credential.makeKeyFile(), opening: "work")
    #expect(throws: VaultError(.invalidArgument)) { try administration.addSlot(slot) }
    let other = try TemporaryVault()
    #expect(throws: VaultError(.invalidArgument)) { try other.create(alsoProtectedBy: [slot]) }
    #expect(throws: VaultError(.vaultMissing)) { try other.open() }
  }

  @Test(
    "a name of 252 bytes is a name; none and 253 bytes are refused, and nothing is left of them"
  )
  func lengths() throws {
    for name in ["", String(repeating: "a", count: 253), String(repeating: "\u{e9}", count: 127)] {
      #expect(throws: VaultError(.invalidArgument)) { try administration.createGroup(name) }
    }
    #expect(try administration.groups().count == 1)
    let longest = String(repeating: "\u{e9}", count: 126)
    try administration.createGroup(longest)
    try store.set(SecretBytes("x"), for: item(longest))
    #expect(try vault.openUnlocked().secret(for: item(longest))?.text == "x")
  }

  @Test("names that differ only by Unicode normalisation are two groups with slots of their own")
  func normalisation() throws {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    #expect(composed == decomposed, "equal as text, and different bytes")
    var keys: [String.UTF8View.Index: SecretBytes] = [:]
    for name in [composed, decomposed] {
      try administration.createGroup(name)
      try store.set(SecretBytes("\(name.utf8.count)"), for: item(name))
      let key = try Credential.makeKeyFile()
      try administration.addSlot(GroupVault.slot(key, opening: name))
      keys[name.utf8.endIndex] = key
    }
    for name in [composed, decomposed] {
      let member = try vault.open()
      try member.unlock(with: .keyFile(contents: try #require(keys[name.utf8.endIndex])))
      #expect(try member.secret(for: item(name))?.text == "\(name.utf8.count)")
      let other = name.utf8.count == composed.utf8.count ? decomposed : composed
      #expect(throws: VaultError(.notPermitted)) { try member.secret(for: item(other)) }
    }
  }

  @Test("a store that only reads makes no group")
  func readOnly() throws {
    var options = vault.options
    options.isReadOnly = true
    let reader = try SecretStore.open(at: vault.path, options: options)
    let administration = try reader.administration(with: vault.credential)
    #expect(throws: VaultError(.readOnly)) { try administration.createGroup("work") }
    #expect(try administration.groups().count == 1)
  }
}
