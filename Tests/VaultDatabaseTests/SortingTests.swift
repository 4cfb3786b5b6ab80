import CSQLite
import Testing

@testable import VaultDatabase

@Suite("Rows whose lengths nobody has checked")
struct SortingTests {
  /// What SQLite sorts it holds in memory, a whole row at a time.
  @Test("are never sorted by SQLite")
  func nothingIsSorted() throws {
    let vault = try TemporaryVault()
    let connection = try #require(try vault.database.connect(.readWrite) as? SQLiteConnection)
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96), state: []))
      for byte: UInt8 in [9, 1, 5] {
        let id = [UInt8](repeating: byte, count: 16)
        _ = try connection.insertGroup(id: id)
        try connection.putSlot(SlotRow(id: fixed(byte), record: pattern(144), label: []))
        try connection.putPage(PageRow(number: Int(byte), items: 1, tag: fixed(byte)))
        try connection.putClaim(claim(lookup: lookup(byte)))
        _ = try connection.insertBox(pattern(112), pattern(112), [])
      }
    }
    _ = try connection.head()
    #expect(try connection.claims().count == 3)
    #expect(try connection.groups().count == 3)
    #expect(try connection.slots().count == 3)
    #expect(try connection.pages(from: 0, through: 4095).count == 3)
    try connection.forEachBox { _ in true }
    try connection.forEachAttributes { _, _ in true }
    let database = try unsafe connection.handle()
    var count = 0
    var statement = unsafe sqlite3_next_stmt(database, nil)
    while let known = unsafe statement {
      let text = unsafe String(cString: sqlite3_sql(known))
      #expect(unsafe sqlite3_stmt_status(known, SQLITE_STMTSTATUS_SORT, 0) == 0, "\(text)")
      count += 1
      unsafe statement = sqlite3_next_stmt(database, known)
    }
    #expect(count > 10)
  }
}
