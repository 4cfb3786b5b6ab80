import Testing
import VaultDatabase

/// Rows of claims and boxes, of which an item is made.
@Suite("A row of an item that is not of the format is refused")
struct MalformedItemTests {
  let vault: TemporaryVault

  init() throws { vault = try .withOneRowInEveryTable() }

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
    try vault.expectMalformed("UPDATE claim SET \(change)") { _ = try $0.claims() }
  }

  @Test("of claim, and what was read before it is not returned")
  func claimAfterGoodOnes() throws {
    let highest = String(repeating: "ff", count: 32)
    try vault.editUnchecked(
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
    try vault.expectMalformed("UPDATE box SET \(change)") { connection in
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
    try vault.editUnchecked("UPDATE box SET \(column) = NULL")
    let connection = try vault.database.connect(.readWrite)
    let parts = try BoxPart.allCases.filter { part in
      try connection.blob(part, box: 1, groupRow: 1) == nil
    }
    #expect(parts.map { "\($0)" } == [column])
    #expect(throws: DatabaseError(.malformedRow)) { try connection.forEachBox { _ in true } }
  }

  @Test(
    "by its row number, but the walks take it for nobody's",
    arguments: [0, -1, 4_611_686_018_427_387_905]
  )
  func boxNumber(number: Int64) throws {
    try vault.editUnchecked("UPDATE box SET id = \(number)")
    let connection = try vault.database.connect(.readWrite)
    var walked: [Int64] = []
    try connection.forEachBox { sizes in
      walked.append(sizes.box)
      return true
    }
    #expect(walked == [number])
    try connection.forEachAttributes { box, _ in
      walked.append(box)
      return true
    }
    #expect(walked == [number])
    #expect(throws: DatabaseError(.malformedRow)) {
      try connection.blob(.secret, box: number, groupRow: 1)
    }
  }

  @Test("of more than the connection permits")
  func huge() throws {
    try vault.editUnchecked("UPDATE box SET secret = zeroblob(9000000)")
    let connection = try vault.database.connect(.readWrite)
    #expect(throws: DatabaseError(.tooBig)) {
      try connection.blob(.secret, box: 1, groupRow: 1)
    }
  }
}
