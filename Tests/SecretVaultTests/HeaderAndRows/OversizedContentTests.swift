import SecretVault
import Testing
import VaultFormat

/// Content of a size that no writer of ours makes.
@Suite("Content beyond every limit")
struct OversizedContentTests {
  private let items: AttackedItems
  private let alice: RawItem

  init() throws {
    items = try AttackedItems()
    alice = try items.group.item(items.alice)
  }

  /// SQLite hands out no value above the limit of its connections, 8 MiB.
  @Test(
    "D-8: a part of a box of 64 MiB is refused where it is read, and nothing else is",
    arguments: ["attributes", "secret", "history"]
  )
  func giantPart(_ part: String) throws {
    let change = "UPDATE box SET \(part) = zeroblob(67108864) WHERE id = ?"
    try items.raw.execute(change, [.integer(alice.box)])
    let reading = try items.read(items.alice)
    #expect(reading.item == (part == "attributes" ? .tampered : nil))
    #expect(reading.secret == (part == "secret" ? .tampered : nil))
    #expect(try items.read(items.bob) == .whole)
    #expect(try items.isSound() == false)
  }

  @Test("D-8: two hundred thousand claims in a page of one item are tampering")
  func manyClaims() throws {
    let prefix = [alice.lookup[0], alice.lookup[1] & 0xf0]
    try items.raw.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) \
      INSERT INTO claim SELECT group_id, item_id, kind, class, flags, device_id, version, \
      CAST(CAST(?1 AS TEXT) || printf('%030d', i) AS BLOB), rev, box FROM claim, n WHERE lookup = ?2
      """,
      [.blob(prefix), .blob(alice.lookup)]
    )
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .whole)
    #expect(try items.listingCode() == .tampered)
    #expect(try items.isSound() == false)
  }
}
