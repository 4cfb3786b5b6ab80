import SecretVault
import Testing

@Suite("Items at the limits")
struct LimitTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
  }

  private func bytes(_ count: Int) throws -> SecretBytes {
    try SecretBytes(count: count) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) }
    }
  }

  @Test(
    "a secret of any length up to the largest comes back",
    arguments: [0, 1, 60, 61, 4_092, 4_093, 16_379, 16_380, 16_381, 1_048_575, 1_048_576]
  )
  func lengths(_ count: Int) throws {
    let secret = try bytes(count)
    try store.set(secret, for: item)
    let read = try #require(try vault.openUnlocked().secret(for: item))
    #expect(read.constantTimeEquals(secret))
  }

  @Test("a secret that is one byte too long is refused, and the old one stays")
  func tooLong() throws {
    try store.set(SecretBytes("old"), for: item)
    #expect(throws: VaultError(.limitExceeded)) { try store.set(bytes(1_048_577), for: item) }
    #expect(throws: VaultError(.limitExceeded)) {
      try store.add(SecretItem(identity: ItemIdentity(service: "new")), secret: bytes(1_048_577))
    }
    #expect(throws: VaultError(.limitExceeded)) {
      try store.update(item) { _, secret in secret = try bytes(1_048_577) }
    }
    #expect(try store.secret(for: item)?.text == "old")
    #expect(try store.items().items.count == 1)
  }

  @Test("attributes fill their space to the last byte, and not one more")
  func attributes() throws {
    try store.set(SecretBytes("token"), for: item)
    // Two dates and the fields' heads take their part; the largest comment is found by trying.
    var fits = 0
    var tooMany = 20_000
    while tooMany - fits > 1 {
      let count = (fits + tooMany) / 2
      do {
        try store.update(item) { item, _ in
          item.generic = AttributeValue(data: [UInt8](repeating: 1, count: 65_536))
          item.comment = AttributeValue(data: [UInt8](repeating: 2, count: count))
        }
        fits = count
      } catch let error as VaultError where error.code == .limitExceeded {
        tooMany = count
      }
    }
    let service = 5 + item.service.bytes.count
    let account = 5 + item.account.bytes.count
    let forms = 5 + 4
    #expect(fits == 81_916 - service - account - (5 + 65_536) - 5 - 2 * (5 + 8) - forms)
    let read = try #require(try vault.openUnlocked().item(for: item))
    #expect(read.comment?.bytes.count == fits)
    #expect(throws: VaultError(.limitExceeded)) {
      try store.update(item) { item, _ in
        item.generic = AttributeValue(data: [UInt8](repeating: 1, count: 65_537))
        item.comment = nil
      }
    }
  }

  @Test("an item without a secret is not one with the empty secret, and each can become the other")
  func noSecret() throws {
    try store.add(SecretItem(identity: item), secret: nil)
    #expect(try store.secret(for: item) == nil)
    #expect(try store.item(for: item)?.hasNoSecret == true)
    try store.set(bytes(0), for: item)
    #expect(try store.secret(for: item)?.isEmpty == true)
    #expect(try store.item(for: item)?.hasNoSecret == false)
    try store.update(item) { _, secret in
      #expect(secret?.isEmpty == true)
      secret = nil
    }
    #expect(try store.secret(for: item) == nil)
    try store.update(item) { _, secret in #expect(secret == nil) }
  }

  @Test("empty names are names, and every part of an identity tells items apart")
  func names() throws {
    var identities: [ItemIdentity] = []
    for isSynchronizable in [false, true] {
      identities += [
        ItemIdentity(service: "", isSynchronizable: isSynchronizable),
        ItemIdentity(service: "a", account: "", isSynchronizable: isSynchronizable),
        ItemIdentity(service: "", account: "a", isSynchronizable: isSynchronizable),
        ItemIdentity(server: "", isSynchronizable: isSynchronizable),
        ItemIdentity(server: "", port: 1, isSynchronizable: isSynchronizable),
        ItemIdentity(server: "", path: "a", isSynchronizable: isSynchronizable),
      ]
    }
    for (index, identity) in identities.enumerated() {
      try store.add(SecretItem(identity: identity), secret: SecretBytes("\(index)"))
    }
    for (index, identity) in identities.enumerated() {
      #expect(try store.secret(for: identity)?.text == "\(index)")
    }
    #expect(try store.items(matching: ItemQuery(service: "")).items.count == 10)
    #expect(
      try store.items(matching: ItemQuery(service: "", kind: .genericPassword)).items.count == 4
    )
    #expect(try store.items(matching: ItemQuery(account: "a")).items.count == 2)
    #expect(try store.items(matching: ItemQuery(isSynchronizable: true)).items.count == 6)
    #expect(try store.items(matching: ItemQuery(accessibility: .afterFirstUnlock)).items.isEmpty)
    #expect(throws: VaultError(.notPermitted)) {
      try store.items(matching: ItemQuery(group: "none"))
    }
  }

  @Test("a version is the one of the last change, and 0 stands for none")
  func versions() throws {
    try store.set(SecretBytes("1"), for: item, ifVersion: 0)
    #expect(throws: VaultError(.conflict)) {
      try store.set(SecretBytes("2"), for: item, ifVersion: 0)
    }
    let first = try #require(try store.item(for: item))
    try store.set(SecretBytes("other"), for: ItemIdentity(service: "other"))
    try store.set(SecretBytes("2"), for: item, ifVersion: first.version)
    let second = try #require(try store.item(for: item))
    #expect(second.version > first.version + 1)
    #expect(second.itemID == first.itemID)
    #expect(second.created == first.created)
    #expect(try #require(second.modified) >= #require(first.modified))
    try store.remove(item)
    #expect(throws: VaultError(.conflict)) {
      try store.set(SecretBytes("3"), for: item, ifVersion: second.version)
    }
    try store.set(SecretBytes("3"), for: item, ifVersion: 0)
    #expect(try store.item(for: item)?.itemID != first.itemID)
  }
}
