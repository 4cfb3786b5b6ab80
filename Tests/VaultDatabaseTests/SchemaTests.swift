import TestSupport
import Testing
import VaultDatabase

@Suite("The tables of a vault")
struct SchemaTests {
  static let texts = [
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), record BLOB NOT NULL, "
      + "state BLOB NOT NULL) STRICT",
    "CREATE TABLE slot (slot_id BLOB PRIMARY KEY NOT NULL, record BLOB NOT NULL, "
      + "label BLOB NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE grp (id INTEGER PRIMARY KEY, group_id BLOB NOT NULL, record BLOB NOT NULL, "
      + "counter INTEGER NOT NULL, tag BLOB NOT NULL, name BLOB NOT NULL, state BLOB NOT NULL, "
      + "branches BLOB NOT NULL) STRICT",
    "CREATE TABLE page (group_id BLOB NOT NULL, number INTEGER NOT NULL, items INTEGER NOT NULL, "
      + "tag BLOB NOT NULL, PRIMARY KEY (group_id, number)) STRICT, WITHOUT ROWID",
    "CREATE TABLE claim (group_id BLOB NOT NULL, item_id BLOB NOT NULL, kind INTEGER NOT NULL, "
      + "class INTEGER NOT NULL, flags INTEGER NOT NULL, device_id BLOB NOT NULL, "
      + "version INTEGER NOT NULL, lookup BLOB NOT NULL, rev BLOB NOT NULL, "
      + "box INTEGER NOT NULL, PRIMARY KEY (group_id, lookup)) STRICT, WITHOUT ROWID",
    "CREATE TABLE box (id INTEGER PRIMARY KEY, attributes BLOB NOT NULL, secret BLOB NOT NULL, "
      + "history BLOB NOT NULL) STRICT",
    "CREATE TABLE log (group_id BLOB NOT NULL, number INTEGER NOT NULL, record BLOB NOT NULL, "
      + "PRIMARY KEY (group_id, number)) STRICT, WITHOUT ROWID",
  ]

  @Test("a new file holds the seven tables of the format to the letter, and no index")
  func texts() throws {
    let vault = try TemporaryVault()
    let raw = try RawDatabase(vault.path)
    #expect(try raw.rows("SELECT sql FROM sqlite_schema") == Self.texts)
    #expect(try raw.rows("SELECT count(*) FROM sqlite_schema WHERE type <> 'table'") == ["0"])
  }

  @Test("a new file has the settings of the format and no file beside it")
  func settings() throws {
    let vault = try TemporaryVault()
    #expect(try vault.fileNames() == ["test.vault"])
    let raw = try RawDatabase(vault.path)
    #expect(try raw.rows("PRAGMA page_size") == ["4096"])
    #expect(try raw.rows("PRAGMA encoding") == ["UTF-8"])
    #expect(try raw.rows("PRAGMA auto_vacuum") == ["0"])
    #expect(try raw.rows("PRAGMA journal_mode") == ["wal"])
    #expect(try raw.rows("PRAGMA application_id") == [String(0x564C_5431)])
    #expect(try raw.rows("PRAGMA user_version") == ["1"])
  }

  @Test("the tables are recognised after a VACUUM")
  func vacuum() throws {
    let vault = try TemporaryVault()
    try vault.edit("VACUUM")
    #expect(throws: Never.self) { try vault.database.connect(.readWrite) }
  }

  @Test("tables are not written over those that a file has")
  func createTwice() throws {
    let vault = try TemporaryVault()
    let before = try vault.bytes()
    #expect(throws: DatabaseError.self) { try vault.database.create() }
    #expect(try vault.bytes() == before)
  }

  @Test("creating does not make a file")
  func createNothing() throws {
    let vault = try TemporaryVault()
    let absent = SQLiteDatabase(path: vault.path + "2", busyTimeout: 0)
    #expect(throws: DatabaseError(.cannotOpen)) { try absent.create() }
    #expect(throws: DatabaseError(.cannotOpen)) { try absent.connect(.readWrite) }
    #expect(try vault.fileNames() == ["test.vault"])
  }

  /// What somebody with an editor for SQLite files could add or change.
  static let edits = [
    "CREATE TRIGGER spy AFTER INSERT ON box BEGIN DELETE FROM head; END",
    "CREATE VIEW spy AS SELECT * FROM box",
    "CREATE INDEX spy ON claim (box)",
    "CREATE UNIQUE INDEX spy ON grp (group_id)",
    "CREATE TABLE spy (a)",
    "CREATE TABLE spy (a UNIQUE)",
    "CREATE TABLE spy (a INTEGER PRIMARY KEY AUTOINCREMENT)",
    "CREATE VIRTUAL TABLE spy USING fts5(a)",
    "ANALYZE",
    "ALTER TABLE box ADD COLUMN spy INTEGER AS (id + 1)",
    "ALTER TABLE box RENAME TO crate",
    "ALTER TABLE log RENAME COLUMN record TO entry",
    "DROP TABLE log",
    "DROP TABLE log; CREATE VIEW log AS SELECT * FROM box",
    "DROP TABLE box; CREATE TABLE box (id INTEGER PRIMARY KEY, secret BLOB NOT NULL, "
      + "attributes BLOB NOT NULL, history BLOB NOT NULL) STRICT",
    "PRAGMA writable_schema = ON; "
      + "UPDATE sqlite_schema SET sql = replace(sql, 'one = 1', 'one = 2') WHERE name = 'head'",
    "PRAGMA writable_schema = ON; "
      + "UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = 'box'",
    "PRAGMA writable_schema = ON; "
      + "UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '') WHERE name = 'box'",
  ]

  @Test("a file with another schema is refused and not changed", arguments: edits)
  func edited(edit: String) throws {
    let vault = try TemporaryVault()
    try vault.edit(edit)
    let before = try vault.bytes()
    for access in [DatabaseAccess.readWrite, .readOnly, .immutable] {
      #expect(throws: DatabaseError(.schemaMismatch)) { try vault.database.connect(access) }
    }
    #expect(try vault.bytes() == before)
  }

  @Test("a table cannot take the place of the true schema")
  func forgedSchemaTable() throws {
    let vault = try TemporaryVault()
    try vault.edit(
      """
      CREATE TABLE forged (type TEXT, name TEXT, tbl_name TEXT, rootpage INT, sql TEXT);
      INSERT INTO forged SELECT * FROM sqlite_master WHERE name <> 'forged';
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET name = 'sqlite_schema', tbl_name = 'sqlite_schema',
        sql = replace(sql, 'forged', 'sqlite_schema') WHERE name = 'forged';
      """
    )
    #expect(throws: DatabaseError(.corrupt)) { try vault.database.connect(.readWrite) }
  }
}
