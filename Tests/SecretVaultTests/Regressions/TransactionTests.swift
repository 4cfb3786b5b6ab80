import SecretVault
import Testing

/// Changes that follow each other before any is committed.
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

  @Test("an item that is removed and added again is there, as a new one")
  func removeThenAdd() throws {
    let id = try store.item(for: alice)?.itemID
    try store.transaction { transaction in
      try transaction.remove(alice)
      try transaction.add(SecretItem(identity: alice), secret: SecretBytes("again"))
    }
    #expect(try store.secret(for: alice)?.text == "again")
    #expect(try store.item(for: alice)?.itemID != id)
    try vault.requireSound(store, itemCount: 2)
  }

  @Test("a secret that is set after the item was removed makes a new item")
  func removeThenSet() throws {
    try store.transaction { transaction in
      try transaction.remove(alice)
      try transaction.set(SecretBytes("again"), for: alice)
    }
    #expect(try store.secret(for: alice)?.text == "again")
    try vault.requireSound(store, itemCount: 2)
  }

  @Test("what is read and changed after that has nothing of the removed item")
  func removeThenSetThenUpdate() throws {
    let expired = ItemChanges(label: "old", expires: .at(Timestamp(millisecondsSince1970: 5)))
    try store.set(SecretBytes("alice's"), for: alice, changing: expired)
    try store.transaction { transaction in
      try transaction.remove(alice)
      try transaction.set(SecretBytes("again"), for: alice)
      #expect(try transaction.item(for: alice)?.label == nil)
      try transaction.update(alice) { item, _ in item.comment = "new" }
    }
    #expect(try store.secret(for: alice)?.text == "again")
    #expect(try store.item(for: alice)?.label == nil)
    try vault.requireSound(store, itemCount: 2)
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
    try vault.requireSound(store, itemCount: 1)
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
    try vault.requireSound(store, itemCount: 2)
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
    try vault.requireSound(store, itemCount: 3)
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
    try vault.requireSound(store, itemCount: 2)
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
    try vault.requireSound(store, itemCount: 2)
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

  @Test("a closure that only reads sees one state of several items")
  func readsOfOneState() throws {
    let other = try vault.openUnlocked()
    var runs = 0
    let pair = try store.transaction { transaction in
      runs += 1
      let first = try transaction.secret(for: alice)?.text
      if runs == 1 { try changeBoth(in: other) }
      return [first, try transaction.secret(for: bob)?.text]
    }
    #expect(pair == ["newer", "newer"])
    #expect(runs == 2)
  }

  @Test("what a closure throws because it saw two states is not thrown on")
  func errorOfTwoStates() throws {
    struct Mismatch: Error {}
    let other = try vault.openUnlocked()
    try changeBoth(in: other, to: "old")
    var runs = 0
    try store.transaction { transaction in
      runs += 1
      let first = try transaction.secret(for: alice)?.text
      if runs == 1 { try changeBoth(in: other) }
      guard try transaction.secret(for: bob)?.text == first else { throw Mismatch() }
      try transaction.remove(bob)
    }
    #expect(runs == 2)
  }

  private func changeBoth(in other: SecretStore, to secret: String = "newer") throws {
    try other.transaction { transaction in
      for item in [alice, bob] { try transaction.set(SecretBytes(secret), for: item) }
    }
  }
}
