/// The settings of a connection and the questions about a whole file.
struct Settings {
  /// Those that are made before the first table is read, and then those that read the schema.
  ///
  /// `cell_size_check` makes damaged pages fail early. `synchronous = FULL` makes each commit durable. The cache is
  /// 16 MiB and a file at most 2^24 pages.
  static let perConnection: StaticString = """
    PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; \
    PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA max_page_count = 16777216
    """

  /// The settings that a file keeps, and durable writing of its tables.
  static let perFile: StaticString = """
    PRAGMA page_size = 4096; PRAGMA encoding = 'UTF-8'; PRAGMA auto_vacuum = NONE; \
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL
    """

  /// Hints for tools such as `file`: "VLT1", and the version of the format.
  static let identification: StaticString =
    "PRAGMA application_id = 0x564C5431; PRAGMA user_version = 1"

  /// A copy that fails is thrown away, so its journal need not outlive the process.
  static let ofCopy: StaticString = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL"

  let schema = Statement("SELECT type, name, tbl_name, sql FROM main.sqlite_schema")
  let secureDelete = Statement("PRAGMA secure_delete = ON")
  let encoding = Statement("PRAGMA encoding")
  let journalMode = Statement("PRAGMA journal_mode")
  let pageSize = Statement("PRAGMA page_size")
  /// Stops at the first fault.
  let integrityCheck = Statement("PRAGMA integrity_check(1)")
}

extension SQLiteConnection {
  /// Makes the settings of a connection, and verifies the one that a library can be built to refuse.
  func applySettings() throws(DatabaseError) {
    try execute(Settings.perConnection)
    let secureDelete = try start(tables.settings.secureDelete)
    guard try secureDelete.step(), try secureDelete.integer(0, in: 0...2) == 1 else {
      throw DatabaseError(.other)
    }
  }

  /// Writes the settings and tables of a vault into an empty file.
  func createTables() throws(DatabaseError) {
    try execute(Settings.perFile)
    try verify(tables.settings.journalMode, says: "wal")
    try beginWrite()
    do {
      for table in Schema.tables { try execute(table.text) }
      try execute(Settings.identification)
    } catch {
      rollback()
      throw error
    }
    try commit()
    guard try checkpoint(.truncate) else { throw DatabaseError(.busy) }
  }
}
