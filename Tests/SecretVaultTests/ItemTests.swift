import SecretVault
import Testing

@Suite("Items")
struct ItemTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let alice = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
  }

  @Test("a secret that was set comes back, also from another opening")
  func roundTrip() throws {
    try store.set(SecretBytes("token"), for: alice)
    #expect(try store.secret(for: alice)?.text == "token")
    let other = try vault.openUnlocked()
    #expect(try other.secret(for: alice)?.text == "token")
  }

  @Test("a missing item is nil, and not an error")
  func missing() throws {
    #expect(try store.secret(for: alice) == nil)
    #expect(try store.item(for: alice) == nil)
    #expect(try store.remove(alice) == false)
  }

  @Test("adding an identity twice is refused and keeps the first")
  func duplicate() throws {
    try store.add(SecretItem(identity: alice), secret: SecretBytes("one"))
    #expect(throws: VaultError(.duplicateItem)) {
      try store.add(SecretItem(identity: alice), secret: SecretBytes("two"))
    }
    #expect(try store.secret(for: alice)?.text == "one")
  }

  @Test("a removed item is gone")
  func removal() throws {
    try store.set(SecretBytes("token"), for: alice)
    #expect(try store.remove(alice))
    #expect(try store.secret(for: alice) == nil)
    #expect(try store.items().items.isEmpty)
  }

  @Test("an item of another version than the one named is not removed")
  func conditionalRemoval() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    #expect(try store.remove(alice, ifVersion: 1) == false)
    try store.set(SecretBytes("one"), for: alice)
    let version = try #require(try store.item(for: alice)).version
    try store.set(SecretBytes("two"), for: alice)
    #expect(throws: VaultError.self) { try store.remove(alice, ifVersion: version) }
    #expect(try store.secret(for: alice)?.text == "two")
    let current = try #require(try store.item(for: alice)).version
    #expect(try store.remove(alice, ifVersion: current))
    #expect(try store.item(for: alice) == nil)
  }

  @Test("a listing holds every item with its attributes")
  func listing() throws {
    for number in 0..<300 {
      try store.set(
        SecretBytes("s\(number)"),
        for: ItemIdentity(service: "service-\(number)", account: "a"),
        label: "label \(number)"
      )
    }
    let items = try store.items().items
    #expect(items.count == 300)
    #expect(Set(items.compactMap { $0.label?.text }).count == 300)
    #expect(
      try store.items(matching: ItemQuery(service: "service-7")).items.map(\.identity)
        == [ItemIdentity(service: "service-7", account: "a", group: "default")]
    )
  }

  @Test("an update changes attributes and secret together")
  func update() throws {
    try store.set(SecretBytes("1"), for: alice)
    try store.update(alice) { item, secret in
      item.label = "new"
      secret = try SecretBytes("2")
    }
    #expect(try store.item(for: alice)?.label == "new")
    #expect(try store.secret(for: alice)?.text == "2")
  }

  @Test("an update of the identity renames the item and keeps its id")
  func rename() throws {
    try store.set(SecretBytes("1"), for: alice)
    let id = try store.item(for: alice)?.itemID
    let bob = ItemIdentity(service: "api.example.com", account: "bob")
    try store.update(alice) { item, _ in item.identity = bob }
    #expect(try store.secret(for: alice) == nil)
    #expect(try store.secret(for: bob)?.text == "1")
    #expect(try store.item(for: bob)?.itemID == id)
  }

  @Test("a transaction is all or nothing")
  func transaction() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.transaction { transaction in
        try transaction.set(SecretBytes("x"), for: alice)
        throw Stop()
      }
    }
    #expect(try store.secret(for: alice) == nil)
  }
}
