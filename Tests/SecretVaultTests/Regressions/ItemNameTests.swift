import SecretVault
import Testing

/// Items by names that leave their group out or change it, and by names that are too long.
@Suite("The names of items")
struct ItemNameTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let alice = ItemIdentity(service: "api.example.com", account: "alice")
  private let bob = ItemIdentity(service: "api.example.com", account: "bob")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
    try store.set(SecretBytes("alice's"), for: alice)
    try store.set(SecretBytes("bob's"), for: bob)
  }

  @Test("an item is the same with and without the name of its group")
  func nameOfGroup() throws {
    var named = alice
    named.group = "default"
    try store.transaction { transaction in
      try transaction.set(SecretBytes("new"), for: alice)
      #expect(try transaction.secret(for: named)?.text == "new")
      try transaction.remove(named)
      #expect(try transaction.secret(for: alice) == nil)
      try transaction.add(SecretItem(identity: alice), secret: SecretBytes("newer"))
      #expect(throws: VaultError(.duplicateItem)) {
        try transaction.add(SecretItem(identity: named), secret: SecretBytes("other"))
      }
    }
    #expect(try store.secret(for: named)?.text == "newer")
  }

  @Test("an item of the only group is updated without naming the group, whatever its name")
  func onlyGroup() throws {
    let other = try TemporaryVault()
    let store = try SecretStore.create(
      at: other.path,
      protectedBy: [SecretStore.NewSlot(other.credential)],
      group: "work",
      options: other.options
    )
    try store.set(SecretBytes("1"), for: alice)
    try store.update(alice) { _, secret in secret = try SecretBytes("2") }
    #expect(try store.secret(for: alice)?.text == "2")
  }

  @Test("an item moves to another group and back, and keeps its id")
  func otherGroup() throws {
    try store.administration(with: vault.credential).createGroup("work")
    try store.unlock(with: vault.credential)
    let id = try store.item(for: alice)?.itemID
    var moved = alice
    moved.group = "work"
    try store.update(alice) { item, _ in item.identity = moved }
    #expect(try store.secret(for: alice) == nil)
    #expect(try store.secret(for: moved)?.text == "alice's")
    #expect(try store.item(for: moved)?.itemID == id)
    try vault.requireSound(store, itemCount: 2)
    try store.update(moved) { item, _ in item.identity.group = "default" }
    #expect(try store.secret(for: alice)?.text == "alice's")
    #expect(try store.item(for: alice)?.itemID == id)
    try vault.requireSound(store, itemCount: 2)
  }

  @Test("a name beyond the limit is refused as such, also beside an item with the empty name")
  func tooLongName() throws {
    try store.set(SecretBytes("empty"), for: ItemIdentity(service: ""))
    let long = String(repeating: "x", count: 65_537)
    #expect(throws: VaultError(.limitExceeded)) {
      try store.add(SecretItem(identity: ItemIdentity(service: long)), secret: nil)
    }
    try store.add(SecretItem(identity: ItemIdentity(service: String(long.dropLast()))), secret: nil)
    #expect(throws: VaultError(.limitExceeded)) {
      try store.update(alice) { item, _ in item.identity = ItemIdentity(service: long) }
    }
  }
}
