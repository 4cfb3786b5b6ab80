import SecretVault
import Testing

@Suite("Earlier secrets")
struct KeptHistoryTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
  }

  private func set(_ secret: String, keeping count: Int? = nil) throws {
    let changes = ItemChanges(versionsKept: count)
    try store.set(SecretBytes(secret), for: item, changing: changes)
  }

  /// The earlier secrets as text, newest first, as another opening of the vault reads them.
  private func earlier(_ identity: ItemIdentity? = nil) throws -> [String?] {
    let identity = identity ?? item
    let reader = try vault.openUnlocked()
    defer { reader.close() }
    let history = try reader.history(of: identity)
    #expect(try reader.item(for: identity)?.historyCount == history.count)
    return try history.map { try reader.secret(of: identity, version: $0.version)?.text }
  }

  private func isSound() throws -> Bool {
    try store.administration(with: vault.credential).check().isSound
  }

  @Test("are not kept unless the item says so")
  func none() throws {
    for secret in ["1", "2", "3"] { try set(secret) }
    #expect(try earlier() == [])
    #expect(try store.item(for: item)?.versionsKept == 0)
  }

  @Test("are kept newest first, with the version and the date that the item had")
  func order() throws {
    try set("1", keeping: 5)
    var states: [SecretItem] = []
    for secret in ["2", "3", "4"] {
      states.insert(try #require(try store.item(for: item)), at: 0)
      try set(secret)
    }
    #expect(try earlier() == ["3", "2", "1"])
    let history = try store.history(of: item)
    #expect(history.map(\.version) == states.map(\.version))
    #expect(history.map(\.modified) == states.map { $0.modified })
    #expect(try store.secret(for: item)?.text == "4")
    #expect(try isSound())
  }

  @Test("are cut to the number that is kept, the oldest first")
  func cut() throws {
    for secret in ["1", "2", "3", "4", "5"] { try set(secret, keeping: 2) }
    #expect(try earlier() == ["4", "3"])
  }

  @Test("are kept from the write on that says so, the secret before it too")
  func raising() throws {
    try set("1")
    try set("2", keeping: 3)
    #expect(try earlier() == ["1"])
    try store.update(item) { item, _ in item.versionsKept = 1 }
    try set("3")
    #expect(try earlier() == ["2"])
  }

  @Test("go at once where fewer are kept, or none", arguments: [(1, ["3"]), (0, [])])
  func lowering(count: Int, left: [String]) throws {
    for secret in ["1", "2", "3", "4"] { try set(secret, keeping: 3) }
    try store.update(item) { item, _ in item.versionsKept = count }
    #expect(try earlier() == left)
    #expect(try store.item(for: item)?.versionsKept == count)
    #expect(try vault.raw().items()[0].history.isEmpty == left.isEmpty)
    #expect(try store.secret(for: item)?.text == "4")
  }

  @Test("get no entry from a write that leaves the secret as it is")
  func unchanged() throws {
    try set("1", keeping: 3)
    try set("2")
    let before = try #require(try store.item(for: item))
    try set("2")
    try store.update(item) { item, _ in item.label = "label" }
    #expect(try earlier() == ["1"])
    let after = try #require(try store.item(for: item))
    #expect(after.version > before.version)
    try set("3")
    #expect(try earlier() == ["2", "1"])
  }

  @Test("tell the empty secret from none, which leaves no entry")
  func emptyAndAbsent() throws {
    try store.add(SecretItem(identity: item), secret: nil)
    try set("", keeping: 4)
    #expect(try earlier() == [])
    try store.update(item) { _, secret in secret = nil }
    #expect(try earlier() == [""])
    try set("1")
    #expect(try earlier() == [""])
  }

  @Test("stay with an item that is renamed or moved to another access group, and with its class")
  func renaming() throws {
    try store.administration(with: vault.credential).createGroup("work")
    try store.unlock(with: vault.credential)
    for secret in ["1", "2", "3"] { try set(secret, keeping: 3) }
    var other = ItemIdentity(service: "other", account: "bob")
    try store.update(item) { item, _ in item.identity = other }
    #expect(try earlier(other) == ["2", "1"])
    try store.update(other) { item, secret in
      item.identity.group = "work"
      item.accessibility = .afterFirstUnlock
      secret = try SecretBytes("4")
    }
    other.group = "work"
    #expect(try earlier(other) == ["3", "2", "1"])
    store.lock()
    #expect(try store.history(of: other).count == 3)
  }

  @Test("stay where a transaction describes the item anew, unless that says how many are kept")
  func describedAnew() throws {
    for secret in ["1", "2"] { try set(secret, keeping: 3) }
    try store.transaction { transaction in
      var new = SecretItem(identity: item)
      new.label = "new"
      try transaction.set(new, secret: SecretBytes("3"))
    }
    #expect(try earlier() == ["2", "1"])
    #expect(try store.item(for: item)?.versionsKept == 3)
    #expect(try store.item(for: item)?.label == "new")
    try store.transaction { transaction in
      var new = SecretItem(identity: item)
      new.versionsKept = 1
      try transaction.set(new, secret: SecretBytes("4"))
    }
    #expect(try earlier() == ["3"])
    try store.transaction { transaction in
      var new = SecretItem(identity: item)
      new.versionsKept = 0
      try transaction.set(new, secret: SecretBytes("5"))
    }
    #expect(try earlier() == [])
    #expect(try isSound())
  }

  @Test("hold what was committed, and nothing that a transaction passed through")
  func betweenChanges() throws {
    try set("1", keeping: 5)
    try store.transaction { transaction in
      for secret in ["2", "3"] { try transaction.set(SecretBytes(secret), for: item) }
      try transaction.update(item) { item, secret in
        item.label = "label"
        secret = try SecretBytes("4")
      }
    }
    #expect(try earlier() == ["1"])
    #expect(try store.secret(for: item)?.text == "4")
  }

  @Test("go with the item, and an item that is added again has none")
  func deletion() throws {
    for secret in ["1", "2"] { try set(secret, keeping: 3) }
    try store.remove(item)
    #expect(try vault.raw().rows(of: "box").isEmpty)
    try set("3")
    #expect(try earlier() == [])
    #expect(throws: VaultError(.itemNotFound)) { try store.history(of: ItemIdentity(service: "x")) }
  }
}
