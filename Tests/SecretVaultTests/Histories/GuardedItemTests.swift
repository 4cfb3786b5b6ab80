import SecretVault
import Testing

@Suite("Items that expire or must be revalidated")
struct GuardedItemTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let item = ItemIdentity(service: "api.example.com", account: "alice")
  private let plain = ItemIdentity(service: "plain")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
    try store.set(SecretBytes("plain"), for: plain)
  }

  private func moment(inSeconds seconds: Int64) -> Timestamp {
    let now = Int64(Timestamp.now.millisecondsSince1970)
    return Timestamp(millisecondsSince1970: UInt64(now + seconds * 1_000))
  }

  private func set(_ secret: String, _ changes: ItemChanges) throws {
    try store.set(SecretBytes(secret), for: item, changing: changes)
  }

  @Test("an expired secret is given out to whom allows it, and to nobody else")
  func allowingExpired() throws {
    try set("old", ItemChanges(expires: .at(moment(inSeconds: -1))))
    #expect(throws: VaultError(.expired)) { try store.secret(for: item) }
    #expect(throws: VaultError(.expired)) { try store.secret(for: item, allowingExpired: false) }
    #expect(try store.secret(for: item, allowingExpired: true)?.text == "old")
    #expect(try store.secret(for: plain, allowingExpired: true)?.text == "plain")
    #expect(try store.secret(for: ItemIdentity(service: "x"), allowingExpired: true) == nil)
    store.lock()
    #expect(throws: VaultError(.locked)) { try store.secret(for: item, allowingExpired: true) }
  }

  @Test("a query for what expires finds it, also what has expired, and nothing else")
  func expiringQuery() throws {
    let moments = [-10, 10, 1_000].map { moment(inSeconds: $0) }
    for (number, moment) in moments.enumerated() {
      let identity = ItemIdentity(service: "expiring", account: "\(number)")
      try store.set(SecretBytes("x"), for: identity, changing: ItemChanges(expires: .at(moment)))
    }
    try set("x", ItemChanges(mustRevalidate: true))
    func found(_ query: ItemQuery) throws -> [String?] {
      try store.items(matching: query).items.map(\.identity.account.text).sorted {
        $0 ?? "" < $1 ?? ""
      }
    }
    #expect(try found(.expiring(before: moment(inSeconds: 100))) == ["0", "1"])
    #expect(try found(.expiring(before: moments[1])) == ["0"])
    #expect(try found(.expiring(before: moment(inSeconds: 2_000))) == ["0", "1", "2"])
    #expect(try found(ItemQuery(account: "1", expiringBefore: moments[2])) == ["1"])
    #expect(try found(ItemQuery(service: "none", expiringBefore: moments[2])) == [])
    store.lock()
    let listing = try store.items(matching: .expiring(before: moments[2]))
    #expect(listing.items.isEmpty)
    // What must be revalidated looks the same from outside.
    #expect(listing.lockedCount == 4)
  }

  @Test(
    "after a restore such an item needs revalidation until it is written again, and others do not"
  )
  func revalidation() throws {
    try set("old", ItemChanges(versionsKept: 2, mustRevalidate: true))
    try set("1", ItemChanges())
    let version = try store.history(of: item)[0].version
    #expect(try store.secret(for: item)?.text == "1")
    #expect(try store.item(for: item)?.mustRevalidate == true)
    try store.closeDrained()
    let backup = try vault.copy()
    let later = try vault.openUnlocked()
    try later.set(SecretBytes("2"), for: item)
    try later.closeDrained()
    try vault.put(backup)
    let restored = try vault.open()
    try restored.acceptRestore(with: vault.credential)
    try restored.unlock(with: vault.credential)
    let code = VaultError(.needsRevalidation)
    #expect(throws: code) { try restored.secret(for: item) }
    #expect(throws: code) { try restored.secret(for: item, allowingExpired: true) }
    #expect(throws: code) { try restored.secret(of: item, version: version) }
    #expect(try restored.secret(for: plain)?.text == "plain")
    #expect(try restored.item(for: item) != nil)
    try restored.set(SecretBytes("3"), for: item)
    #expect(try restored.secret(for: item)?.text == "3")
  }

  @Test("revalidation can be taken away again")
  func noRevalidation() throws {
    try set("x", ItemChanges(mustRevalidate: true))
    #expect(try vault.raw().items().map { $0.claim[18] }.sorted() == [0, 4])
    try store.update(item) { item, _ in item.mustRevalidate = false }
    #expect(try store.item(for: item)?.mustRevalidate == false)
    #expect(try vault.raw().items().map { $0.claim[18] } == [0, 0])
  }
}
