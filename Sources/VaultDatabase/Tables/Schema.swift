/// The tables of a vault, exactly as `sqlite_schema` holds them.
///
/// The file format fixes these texts to the byte. None makes an index: each key is the table's own order.
enum Schema {
  static let tables: [(name: StaticString, text: StaticString)] = [
    (
      "head",
      "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), record BLOB NOT NULL, state BLOB NOT NULL) STRICT"
    ),
    (
      "slot",
      "CREATE TABLE slot (slot_id BLOB PRIMARY KEY NOT NULL, record BLOB NOT NULL, label BLOB NOT NULL) STRICT, WITHOUT ROWID"
    ),
    (
      "grp",
      "CREATE TABLE grp (id INTEGER PRIMARY KEY, group_id BLOB NOT NULL, record BLOB NOT NULL, counter INTEGER NOT NULL, tag BLOB NOT NULL, name BLOB NOT NULL, state BLOB NOT NULL, branches BLOB NOT NULL) STRICT"
    ),
    (
      "page",
      "CREATE TABLE page (group_id BLOB NOT NULL, number INTEGER NOT NULL, items INTEGER NOT NULL, tag BLOB NOT NULL, PRIMARY KEY (group_id, number)) STRICT, WITHOUT ROWID"
    ),
    (
      "claim",
      "CREATE TABLE claim (group_id BLOB NOT NULL, item_id BLOB NOT NULL, kind INTEGER NOT NULL, class INTEGER NOT NULL, flags INTEGER NOT NULL, device_id BLOB NOT NULL, version INTEGER NOT NULL, lookup BLOB NOT NULL, rev BLOB NOT NULL, box INTEGER NOT NULL, PRIMARY KEY (group_id, lookup)) STRICT, WITHOUT ROWID"
    ),
    (
      "box",
      "CREATE TABLE box (id INTEGER PRIMARY KEY, attributes BLOB NOT NULL, secret BLOB NOT NULL, history BLOB NOT NULL) STRICT"
    ),
    (
      "log",
      "CREATE TABLE log (group_id BLOB NOT NULL, number INTEGER NOT NULL, record BLOB NOT NULL, PRIMARY KEY (group_id, number)) STRICT, WITHOUT ROWID"
    ),
  ]
}

extension SQLiteConnection {
  /// Checks that the file holds the tables of a vault and nothing else, in the encoding and the journal mode of a vault.
  func verifyLayout(_ access: DatabaseAccess) throws(DatabaseError) {
    try verifySchema()
    try verify(tables.settings.encoding, says: "UTF-8")
    // An immutable file is read without its log, so its mode is not reported.
    if access != .immutable { try verify(tables.settings.journalMode, says: "wal") }
    let pageSize = try start(tables.settings.pageSize)
    guard try pageSize.step(), try pageSize.integer(0, in: 0...Int64(Int32.max)) == 4096 else {
      throw DatabaseError(.schemaMismatch)
    }
  }

  func verify(_ setting: Statement, says expected: StaticString) throws(DatabaseError) {
    let reading = try start(setting)
    guard try reading.step(), reading.isText(0, expected) else {
      throw DatabaseError(.schemaMismatch)
    }
  }

  private func verifySchema() throws(DatabaseError) {
    var missing = Schema.tables
    let rows = try start(tables.settings.schema)
    while try rows.step() {
      let known = missing.firstIndex { table in
        rows.isText(0, "table") && rows.isText(1, table.name) && rows.isText(2, table.name)
          && rows.isText(3, table.text)
      }
      guard let known else { throw DatabaseError(.schemaMismatch) }
      missing.remove(at: known)
    }
    guard missing.isEmpty else { throw DatabaseError(.schemaMismatch) }
  }
}
