import SecretVault
import Testing
import VaultFormat

/// Rows taken away, put in, and put back as they were at an earlier commit.
@Suite("Missing, added and old rows")
struct RowReplayTests {
  private let items: AttackedItems
  private let alice: RawItem
  /// The tables of a group's contents as they were before the last commit.
  private let before: [String: [[RawVault.Value]]]

  init() throws {
    items = try AttackedItems()
    let (raw, identity) = (items.raw, items.alice)
    alice = try items.group.item(identity)
    before = try Dictionary(
      uniqueKeysWithValues: ["grp", "page", "claim", "box"].map { ($0, try raw.rows(of: $0)) }
    )
  }

  private func changeAlice() throws {
    try items.withStore { try $0.set(SecretBytes("newer"), for: items.alice) }
  }

  private func putBack(_ tables: String...) throws {
    for table in tables { try items.raw.replace(table, with: try #require(before[table])) }
  }

  @Test("R-11: an item whose claim was deleted is tampered with, and not missing")
  func deletedClaim() throws {
    try items.raw.deleteClaim(alice)
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .whole)
    #expect(try items.listingCode() == .tampered)
  }

  @Test("R-11: a deleted box is tampering when that item is read")
  func deletedBox() throws {
    try items.raw.execute("DELETE FROM box WHERE id = ?", [.integer(alice.box)])
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .whole)
    #expect(try items.listingCode() == .tampered)
  }

  @Test(
    "R-11: a claim put into a page, in front or at the end, is tampering",
    arguments: [0x00, 0xff] as [UInt8]
  )
  func insertedClaim(filling: UInt8) throws {
    let prefix = [alice.lookup[0], alice.lookup[1] & 0xf0 | filling & 0x0f]
    let lookup = prefix + [UInt8](repeating: filling, count: 30)
    try items.raw.putClaim(alice.replacing(Claim.lookupRange.lowerBound, with: lookup))
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .whole)
  }

  @Test("R-11: a box that no claim names is ignored", arguments: [1_000, 0, -7, 1 << 62 + 1])
  func unreferencedBox(_ number: Int64) throws {
    var stray = alice
    stray.box = number
    try items.raw.putBox(stray)
    #expect(try items.read(items.alice) == .whole)
    #expect(try items.withStore { try $0.items().items.count } == 2)
    #expect(try items.isSound())
  }

  @Test("R-11: claims where no page is are nobody's, and the next writer of the page removes them")
  func strayClaims() throws {
    try items.withStore { _ = try $0.remove(items.alice) }
    // The removed item itself is put back, and another beside it.
    let near = Array(alice.lookup[..<31]) + [alice.lookup[31] ^ 1]
    let stray = alice.replacing(Claim.lookupRange.lowerBound, with: near)
    for item in [alice, stray] {
      try items.raw.putClaim(item)
      try items.raw.putBox(item)
    }
    #expect(try items.read(items.alice) == .missing)
    #expect(try items.withStore { try $0.items().items.count } == 1)
    #expect(try items.isSound() == false)
    try changeAlice()
    #expect(try items.raw.items().map(\.lookup).contains(near) == false)
    #expect(try items.read(items.alice) == .whole)
    #expect(try items.isSound())
  }

  @Test("R-11: pages where no branch is are nobody's, and the branch's next writer removes them")
  func strayPages() throws {
    try items.withStore { _ = try $0.remove(items.alice) }
    let branch = alice.page & ~63
    for number in [branch, branch + 63] {
      try items.raw.execute(
        "INSERT INTO page VALUES (?, ?, 1, zeroblob(32))",
        [.blob(items.group.groupID), .integer(number)]
      )
    }
    #expect(try items.read(items.alice) == .missing)
    #expect(try items.isSound() == false)
    try changeAlice()
    #expect(try items.read(items.alice) == .whole)
    #expect(try items.isSound())
  }

  @Test("R-12: an old version of one row is tampering, with or without its box")
  func replayedRow() throws {
    try changeAlice()
    let newer = try items.group.item(items.alice)
    try items.raw.putBox(alice)
    #expect(try items.read(items.alice) == .tampered)
    try items.raw.putClaim(alice)
    #expect(try items.read(items.alice) == .tampered)
    try items.raw.putBox(newer)
    #expect(try items.read(items.alice) == .tampered)
    try items.raw.putClaim(newer)
    #expect(try items.read(items.alice) == .whole)
  }

  @Test("R-12a: an old page with its rows is tampering")
  func replayedPage() throws {
    try changeAlice()
    try putBack("page", "claim", "box")
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .whole)
  }

  @Test("R-12a: an old branch with its pages is tampering")
  func replayedBranch() throws {
    try changeAlice()
    try putBack("page", "claim", "box")
    let branches = try #require(before["grp"]?.first?.last)
    try items.raw.execute("UPDATE grp SET branches = ?", [branches])
    #expect(try items.vault.unlockingCode() == .tampered)
  }

  @Test("R-12a: an old state of the group under the new counter is tampering")
  func replayedState() throws {
    try changeAlice()
    let counter = try items.raw.execute("SELECT counter FROM grp")[0][0]
    try putBack("grp", "page", "claim", "box")
    try items.raw.execute("UPDATE grp SET counter = ?", [counter])
    #expect(try items.vault.unlockingCode() == .tampered)
  }

  @Test("R-13: a whole old state of the group is a roll-back where the newer one was seen")
  func replayedGroup() throws {
    try changeAlice()
    try putBack("grp", "page", "claim", "box")
    #expect(try items.vault.unlockingCode() == .rolledBack)
    // A machine that never saw the newer one has nothing to compare with; that is documented.
    let secret = try items.withStore(state: items.vault.folder + "/stranger") { store in
      try store.secret(for: items.alice)?.text
    }
    #expect(secret == "secret of alice")
  }
}
