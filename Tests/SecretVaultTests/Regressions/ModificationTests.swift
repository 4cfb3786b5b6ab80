import Glibc
import SecretVault
import Testing
import VaultDatabase
import VaultFormat

@Suite("When an item was modified")
struct ModificationTests {
  private let items: AttackedItems

  init() throws { items = try AttackedItems() }

  /// Gives `alice` a time of modification that the clock has not come to, and returns it.
  private func modifyInTheFuture() throws -> UInt64 {
    let alice = try items.group.item(items.alice)
    let moment = Timestamp.now.millisecondsSince1970 + 3_600_000
    var moments: [UInt8] = []
    moments.append(bigEndian: moment)
    let list = try AttributeCoding.encode([
      (.service, Array("api.example.com".utf8)), (.account, Array("alice".utf8)),
      (.modified, moments),
    ])
    var edited = alice
    edited.attributes = try items.group.seal(GroupInsider.padded(list), as: .attributes, of: alice)
    try items.raw.putBox(edited)
    return moment
  }

  @Test("a change comes after the last one, although the clock went back")
  func clockWentBack() throws {
    let moment = try modifyInTheFuture()
    try items.withStore { store in
      try store.set(SecretBytes("new"), for: items.alice)
      #expect(try store.item(for: items.alice)?.modified?.millisecondsSince1970 == moment + 1)
      try store.update(items.alice) { item, _ in item.label = "renamed" }
      #expect(try store.item(for: items.alice)?.modified?.millisecondsSince1970 == moment + 2)
      try store.transaction { try $0.set(SecretBytes("newer"), for: items.alice) }
      #expect(try store.item(for: items.alice)?.modified?.millisecondsSince1970 == moment + 3)
    }
  }

  @Test(
    "an item that is described anew keeps the date of its creation, and its modification moves on"
  )
  func describedAnew() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    let item = ItemIdentity(service: "api.example.com")
    try store.set(SecretBytes("first"), for: item)
    let first = try #require(try store.item(for: item))
    var last = try #require(first.modified)
    // Dates count milliseconds, so from now on another date of creation would differ.
    usleep(2_000)
    for _ in 0..<5 {
      try store.transaction { transaction in
        try transaction.set(SecretItem(identity: item), secret: SecretBytes("next"))
      }
      let next = try #require(try store.item(for: item))
      #expect(next.itemID == first.itemID)
      #expect(next.created == first.created)
      let modified = try #require(next.modified)
      #expect(modified > last)
      last = modified
    }
  }
}
