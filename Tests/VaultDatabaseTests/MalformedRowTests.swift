import Testing
import VaultDatabase

@Suite("A row that is not of the format is refused")
struct MalformedRowTests {
  let vault: TemporaryVault

  /// A vault with one row in every table.
  init() throws {
    vault = try TemporaryVault()
    let connection = try vault.database.connect(.readWrite)
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96), state: pattern(5)))
      try connection.putSlot(SlotRow(id: fixed(1), record: pattern(144), label: pattern(5)))
      _ = try connection.insertGroup()
      try connection.putPage(PageRow(number: 1, items: 1, tag: fixed(1)))
      try connection.putClaim(claim(lookup: lookup(1)))
      _ = try connection.insertBox(pattern(112), pattern(112), pattern(112))
    }
    connection.close()
  }

  /// Edits rows behind the back of the types and constraints, then puts the schema back as it was.
  private func edit(_ statements: String) throws {
    try vault.edit(
      """
      CREATE TABLE kept AS SELECT name, sql FROM sqlite_schema;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET
        sql = replace(replace(replace(sql, ' STRICT, ', ' '), ' STRICT', ''), ' NOT NULL', '')
        WHERE name <> 'kept'
      """
    )
    try vault.edit(statements)
    try vault.edit(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema AS now SET sql = (SELECT sql FROM kept WHERE kept.name = now.name)
        WHERE name <> 'kept'
      """
    )
    try vault.edit("DROP TABLE kept")
  }

  private func expectMalformed(
    _ statements: String,
    _ read: (any DatabaseConnection) throws -> Void
  ) throws {
    let connection = try vault.database.connect(.readWrite)
    #expect(throws: Never.self, "readable before the edit") { try read(connection) }
    connection.close()
    try edit(statements)
    let reopened = try vault.database.connect(.readWrite)
    #expect(throws: DatabaseError(.malformedRow), "\(statements)") { try read(reopened) }
  }

  @Test(
    "of head",
    arguments: [
      "record = zeroblob(95)", "record = zeroblob(97)", "record = x''", "record = NULL",
      "record = CAST(zeroblob(96) AS TEXT)", "record = 5", "record = 1.5",
      "state = zeroblob(4097)", "state = 'text'", "state = NULL",
    ]
  )
  func head(change: String) throws {
    try expectMalformed("UPDATE head SET \(change)") { _ = try $0.head() }
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
    try expectMalformed("UPDATE slot SET \(change)") { _ = try $0.slots() }
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
    try expectMalformed("UPDATE grp SET \(change)") { _ = try $0.groups() }
  }

  @Test("of the position of a group", arguments: ["counter = 0", "tag = x'01'", "tag = NULL"])
  func position(change: String) throws {
    try expectMalformed("UPDATE grp SET \(change)") { connection in
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
    try expectMalformed("UPDATE page SET \(change)") { _ = try $0.pages(from: 0, through: 4095) }
  }

  @Test(
    "of claim",
    arguments: [
      "item_id = zeroblob(15)", "item_id = zeroblob(17)", "item_id = NULL",
      "kind = 256", "kind = -1", "kind = NULL", "kind = 'text'",
      "class = 256", "class = -1", "class = x'01'",
      "flags = 256", "flags = -1", "flags = 1.5",
      "device_id = zeroblob(15)", "device_id = 'sixteen letters!'",
      "version = 0", "version = 4611686018427387905", "version = NULL",
      "lookup = x'01'", "lookup = zeroblob(33)",
      "rev = zeroblob(23)", "rev = zeroblob(25)", "rev = NULL",
      "box = 0", "box = -5", "box = 4611686018427387905", "box = NULL",
    ]
  )
  func claimRow(change: String) throws {
    try expectMalformed("UPDATE claim SET \(change)") { _ = try $0.claims() }
  }

  @Test("of claim, and what was read before it is not returned")
  func claimAfterGoodOnes() throws {
    let highest = String(repeating: "ff", count: 32)
    try edit(
      """
      INSERT INTO claim SELECT group_id, item_id, kind, class, 300, device_id, version,
        x'\(highest)', rev, box FROM claim
      """
    )
    let connection = try vault.database.connect(.readWrite)
    var rows: [UInt8] = [7]
    let zeros = [UInt8](repeating: 0, count: 32)
    let ones = [UInt8](repeating: 0xff, count: 32)
    let group = groupID
    #expect(throws: DatabaseError(.malformedRow)) {
      try connection.appendClaims(
        group: group.span,
        from: zeros.span,
        through: ones.span,
        limit: 9,
        to: &rows
      )
    }
    #expect(rows == [7])
  }

  @Test(
    "of box",
    arguments: [
      "attributes = zeroblob(82049)", "attributes = 'text'", "attributes = 7",
      "secret = zeroblob(1053745)", "secret = 'text'", "secret = 1.5",
      "history = zeroblob(2105345)", "history = 'text'", "history = 7",
    ]
  )
  func box(change: String) throws {
    try expectMalformed("UPDATE box SET \(change)") { connection in
      for part in BoxPart.allCases { _ = try connection.blob(part, box: 1, groupRow: 1) }
    }
    let connection = try vault.database.connect(.readOnly)
    #expect(throws: DatabaseError(.malformedRow)) { try connection.forEachBox { _ in true } }
    if change.hasPrefix("attributes") {
      #expect(throws: DatabaseError(.malformedRow)) {
        try connection.forEachAttributes { _, _ in true }
      }
    }
  }

  @Test("of box, where a NULL is a missing box", arguments: ["attributes", "secret", "history"])
  func nullInBox(column: String) throws {
    try edit("UPDATE box SET \(column) = NULL")
    let connection = try vault.database.connect(.readWrite)
    let parts = try BoxPart.allCases.filter { part in
      try connection.blob(part, box: 1, groupRow: 1) == nil
    }
    #expect(parts.map { "\($0)" } == [column])
    #expect(throws: DatabaseError(.malformedRow)) { try connection.forEachBox { _ in true } }
  }

  @Test("by its row number", arguments: [0, -1, 4_611_686_018_427_387_905])
  func boxNumber(number: Int64) throws {
    try edit("UPDATE box SET id = \(number)")
    let connection = try vault.database.connect(.readWrite)
    #expect(throws: DatabaseError(.malformedRow)) { try connection.forEachBox { _ in true } }
    #expect(throws: DatabaseError(.malformedRow)) {
      try connection.forEachAttributes { _, _ in true }
    }
    #expect(throws: DatabaseError(.malformedRow)) {
      try connection.blob(.secret, box: number, groupRow: 1)
    }
  }

  @Test("of more than the connection permits")
  func huge() throws {
    try edit("UPDATE box SET secret = zeroblob(9000000)")
    let connection = try vault.database.connect(.readWrite)
    #expect(throws: DatabaseError(.tooBig)) {
      try connection.blob(.secret, box: 1, groupRow: 1)
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
