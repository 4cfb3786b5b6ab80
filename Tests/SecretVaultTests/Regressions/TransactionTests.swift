import SecretVault
import Testing

@Suite("Several changes of one item in one transaction")
struct TransactionTests {
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

  private func requireSound(itemCount: Int) throws {
    #expect(try store.items().items.count == itemCount)
    let report = try store.administration(with: vault.credential).check()
    #expect(report.findings.filter { !$0.message.hasPrefix("only one slot") } == [])
    #expect(report.verifiedCount == itemCount)
  }

  @Test("an item that is removed and added again is there, as a new one")
  func removeThenAdd() throws {
    let id = try store.item(for: alice)?.itemID
    try store.transaction { transaction in
      try transaction.remove(alice)
      try transaction.add(SecretItem(identity: alice), secret: SecretBytes("again"))
    }
    #expect(try store.secret(for: alice)?.text == "again")
    #expect(try store.item(for: alice)?.itemID != id)
    try requireSound(itemCount: 2)
  }

  @Test("a secret that is set after the item was removed makes a new item")
  func removeThenSet() throws {
    try store.transaction { transaction in
      try transaction.remove(alice)
      try transaction.set(SecretBytes("again"), for: alice)
    }
    #expect(try store.secret(for: alice)?.text == "again")
    try requireSound(itemCount: 2)
  }

  @Test("an item can take the name of one that was removed just before, and keeps its id")
  func takeFreedName() throws {
    let id = try store.item(for: bob)?.itemID
    try store.transaction { transaction in
      try transaction.remove(alice)
      try transaction.update(bob) { item, _ in item.identity = alice }
    }
    #expect(try store.secret(for: alice)?.text == "bob's")
    #expect(try store.item(for: alice)?.itemID == id)
    #expect(try store.secret(for: bob) == nil)
    try requireSound(itemCount: 1)
  }

  @Test("two items swap their names by way of a third, and keep their ids")
  func swap() throws {
    let ids = try [alice, bob].map { try store.item(for: $0)?.itemID }
    let third = ItemIdentity(service: "api.example.com", account: "third")
    try store.transaction { transaction in
      try transaction.update(alice) { item, _ in item.identity = third }
      try transaction.update(bob) { item, _ in item.identity = alice }
      try transaction.update(third) { item, _ in item.identity = bob }
    }
    #expect(try store.secret(for: alice)?.text == "bob's")
    #expect(try store.secret(for: bob)?.text == "alice's")
    #expect(try [bob, alice].map { try store.item(for: $0)?.itemID } == ids)
    try requireSound(itemCount: 2)
  }

  @Test("an item that left its name to a new one does not take it back")
  func moveAside() throws {
    let aside = ItemIdentity(service: "api.example.com", account: "aside")
    let id = try store.item(for: alice)?.itemID
    try store.transaction { transaction in
      var item = try #require(try transaction.item(for: alice))
      try transaction.remove(alice)
      try transaction.add(SecretItem(identity: alice), secret: SecretBytes("new"))
      item.identity = aside
      try transaction.set(item, secret: SecretBytes("old"))
    }
    #expect(try store.secret(for: alice)?.text == "new")
    #expect(try store.secret(for: aside)?.text == "old")
    #expect(try store.item(for: aside)?.itemID == id)
    try requireSound(itemCount: 3)
  }

  @Test("a second update sees what the first one left")
  func updateTwice() throws {
    try store.transaction { transaction in
      try transaction.update(alice) { item, _ in item.label = "label" }
      #expect(try transaction.item(for: alice)?.label == "label")
      try transaction.update(alice) { item, _ in item.comment = "comment" }
    }
    #expect(try store.item(for: alice)?.label == "label")
    #expect(try store.item(for: alice)?.comment == "comment")
    try requireSound(itemCount: 2)
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
    try requireSound(itemCount: 2)
    try store.update(moved) { item, _ in item.identity.group = "default" }
    #expect(try store.secret(for: alice)?.text == "alice's")
    #expect(try store.item(for: alice)?.itemID == id)
    try requireSound(itemCount: 2)
  }

  @Test("what is added and removed in one transaction leaves nothing")
  func addThenRemove() throws {
    let carol = ItemIdentity(service: "", account: "")
    try store.transaction { transaction in
      try transaction.add(SecretItem(identity: carol), secret: nil)
      try transaction.update(carol) { item, _ in item.label = "x" }
      try transaction.remove(carol)
    }
    #expect(try store.item(for: carol) == nil)
    try requireSound(itemCount: 2)
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

  @Test("a conflict of the closure's own is thrown at once, and not tried again")
  func ownConflict() throws {
    var runs = 0
    #expect(throws: VaultError(.conflict)) {
      try store.transaction { transaction in
        runs += 1
        _ = try transaction.item(for: alice)
        try store.set(SecretBytes("x"), for: bob, ifVersion: 0)
      }
    }
    #expect(runs == 1)
  }

  @Test("a closure that hides that it saw two states runs again")
  func hiddenConflict() throws {
    let other = try vault.openUnlocked()
    var runs = 0
    try store.transaction { transaction in
      runs += 1
      let first = try transaction.secret(for: alice)?.text
      if runs == 1 { try other.set(SecretBytes("newer"), for: alice) }
      _ = try? transaction.item(for: alice)
      try transaction.set(SecretBytes("\(first ?? "")!"), for: bob)
    }
    #expect(runs == 2)
    #expect(try store.secret(for: bob)?.text == "newer!")
  }
}
