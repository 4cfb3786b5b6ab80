import SecretVault
import TestSupport
import Testing

@Suite("Long listings")
struct LongListingTests {
  private static func fill(_ store: SecretStore, count: Int) throws {
    let secret = try SecretBytes("x")
    try store.transaction { transaction in
      for number in 0..<count {
        var item = SecretItem(identity: ItemIdentity(service: "service", account: "\(number)"))
        item.comment = AttributeValue(String(repeating: "c", count: number % 700))
        try transaction.set(item, secret: secret)
      }
    }
  }

  @Test("3,000 items, opened by several cores at once, are listed once each with what they hold")
  func complete() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    try Self.fill(store, count: 3000)
    for _ in 0..<3 {
      let items = try store.items().items
      #expect(items.count == 3000)
      #expect(Set(items.map(\.identity)).count == 3000)
      #expect(
        items.allSatisfy { item in
          let number = Int(item.identity.account.text ?? "") ?? -1
          return item.comment?.bytes.count == number % 700 && item.identity.group == "default"
        }
      )
    }
    let few = try store.items(matching: ItemQuery(account: "2999")).items
    #expect(few.map(\.identity.account.text) == ["2999"])
  }

  @Test(
    "one damaged box among 3,000 ends the listing as tampered, wherever it lies",
    arguments: [1, 1500, 3000]
  )
  func damaged(row: Int) throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    try Self.fill(store, count: 3000)
    store.close()
    let database = try RawDatabase(vault.path)
    try database.execute(
      "UPDATE box SET attributes = zeroblob(length(attributes)) WHERE id = \(row)"
    )
    let again = try vault.openUnlocked()
    #expect(throws: VaultError.self) { try again.items() }
    do { _ = try again.items() } catch { #expect(error.code == .tampered) }
  }

  @Test("listings by eight threads at once see the same items")
  func threads() async throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    try Self.fill(store, count: 1000)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await store.items().items.count } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 1000, count: 8))
  }
}
