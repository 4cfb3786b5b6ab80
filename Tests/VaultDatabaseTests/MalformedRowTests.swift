import Testing
import VaultDatabase

/// Rows of the head, of slots, groups and pages, and what is to be written.
@Suite("A row that is not of the format is refused")
struct MalformedRowTests {
  let vault: TemporaryVault

  init() throws { vault = try .withOneRowInEveryTable() }

  @Test(
    "of head",
    arguments: [
      "record = zeroblob(95)", "record = zeroblob(97)", "record = x''", "record = NULL",
      "record = CAST(zeroblob(96) AS TEXT)", "record = 5", "record = 1.5",
      "state = zeroblob(4097)", "state = 'text'", "state = NULL",
    ]
  )
  func head(change: String) throws {
    try vault.expectMalformed("UPDATE head SET \(change)") { _ = try $0.head() }
  }

  @Test(
    "of slot",
    arguments: [
      "slot_id = zeroblob(15)", "slot_id = zeroblob(17)", "slot_id = 'sixteen letters!'",
      "record = zeroblob(143)", "record = zeroblob(145)", "record = NULL",
      "label = zeroblob(401)", "label = 'text'", "label = NULL",
    ]
  )
  func slot(change: String) throws {
    try vault.expectMalformed("UPDATE slot SET \(change)") { _ = try $0.slots() }
  }

  @Test(
    "of grp",
    arguments: [
      "group_id = zeroblob(15)", "group_id = zeroblob(17)", "group_id = NULL",
      "record = zeroblob(127)", "record = zeroblob(129)", "record = 'text'",
      "counter = 0", "counter = -1", "counter = 4611686018427387905", "counter = NULL",
      "counter = x'01'", "counter = 1.5", "counter = 'text'",
      "tag = zeroblob(31)", "tag = zeroblob(33)", "tag = NULL",
      "name = zeroblob(401)", "name = 'text'",
      "state = zeroblob(4097)", "state = 'text'",
      "branches = zeroblob(2433)", "branches = NULL",
    ]
  )
  func group(change: String) throws {
    try vault.expectMalformed("UPDATE grp SET \(change)") { _ = try $0.groups() }
  }

  @Test("of the position of a group", arguments: ["counter = 0", "tag = x'01'", "tag = NULL"])
  func position(change: String) throws {
    try vault.expectMalformed("UPDATE grp SET \(change)") { connection in
      _ = try connection.group(row: 1)
      _ = try connection.position(groupRow: 1)
    }
    let connection = try vault.database.connect(.readOnly)
    #expect(throws: DatabaseError(.malformedRow)) { _ = try connection.position(groupRow: 1) }
    #expect(throws: DatabaseError(.malformedRow)) {
      _ = try connection.blob(.secret, box: 1, groupRow: 1)
    }
  }

  @Test(
    "of page",
    arguments: [
      "number = 1.5", "items = 0", "items = 65537", "items = NULL", "items = 'text'",
      "tag = zeroblob(31)", "tag = zeroblob(33)", "tag = 'text'", "tag = NULL",
    ]
  )
  func page(change: String) throws {
    try vault.expectMalformed("UPDATE page SET \(change)") {
      _ = try $0.pages(from: 0, through: 4095)
    }
  }

  @Test("when it is to be written")
  func written() throws {
    let connection = try vault.database.connect(.readWrite)
    let refused: [() throws -> Void] = [
      { try connection.putHead(HeadRow(record: pattern(95), state: [])) },
      { try connection.putHead(HeadRow(record: pattern(96), state: pattern(4097))) },
      { try connection.putSlot(SlotRow(id: fixed(1), record: pattern(143), label: [])) },
      { try connection.putSlot(SlotRow(id: fixed(1), record: pattern(144), label: pattern(401))) },
      { try connection.deleteSlot(id: pattern(15)) },
      { _ = try connection.insertGroup(id: pattern(17)) },
      { _ = try connection.insertGroup(counter: 0) },
      { _ = try connection.insertGroup(counter: 1 << 62 + 1) },
      { try connection.updateGroupRecord(row: 1, record: pattern(127)) },
      { try connection.updateGroupName(row: 1, name: pattern(401)) },
      { try connection.putPage(PageRow(number: 4096, items: 1, tag: fixed(1))) },
      { try connection.putPage(PageRow(number: -1, items: 1, tag: fixed(1))) },
      { try connection.putPage(PageRow(number: 1, items: 0, tag: fixed(1))) },
      { try connection.putPage(PageRow(number: 1, items: 65_537, tag: fixed(1))) },
      { try connection.deleteClaim(lookup: pattern(31)) },
      { try connection.deleteBox(id: 0) },
    ]
    for change in refused {
      #expect(throws: DatabaseError(.malformedRow)) { try connection.write(change) }
    }
  }
}
