import CSQLite

/// One SQLite connection with its statements prepared once.
@safe
final class FloorStatements {
  let put: OpaquePointer
  let get: OpaquePointer
  let list: OpaquePointer
  let remove: OpaquePointer
  let readAll: OpaquePointer
  let rewrite: OpaquePointer
  private let begin: OpaquePointer
  private let commit: OpaquePointer
  private let database: OpaquePointer

  /// What the vault sets for its own connections and its file, as far as it bears on speed.
  private static let settings = """
    PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
    PRAGMA cache_size = -16384;
    CREATE TABLE IF NOT EXISTS items(id INTEGER PRIMARY KEY, bidx BLOB NOT NULL UNIQUE, \
    meta BLOB NOT NULL, value BLOB NOT NULL)
    """

  init(path: String) throws(BenchmarkError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let database = unsafe handle else {
      unsafe sqlite3_close(handle)
      throw .database(code)
    }
    let isSet = unsafe sqlite3_exec(database, Self.settings, nil, nil, nil)
    guard isSet == SQLITE_OK else { throw .database(isSet) }
    unsafe self.database = database
    unsafe put = try Self.prepare(
      database,
      "INSERT OR REPLACE INTO items(bidx, meta, value) VALUES(?1, ?2, ?3)"
    )
    unsafe get = try Self.prepare(database, "SELECT value FROM items WHERE bidx = ?1")
    unsafe list = try Self.prepare(database, "SELECT bidx, meta FROM items")
    unsafe remove = try Self.prepare(database, "DELETE FROM items WHERE bidx = ?1")
    unsafe readAll = try Self.prepare(database, "SELECT id, bidx, meta, value FROM items")
    unsafe rewrite = try Self.prepare(
      database,
      "UPDATE items SET bidx = ?2, meta = ?3, value = ?4 WHERE id = ?1"
    )
    unsafe begin = try Self.prepare(database, "BEGIN IMMEDIATE")
    unsafe commit = try Self.prepare(database, "COMMIT")
  }

  /// Finalizes the statements and closes the connection, which checkpoints the file.
  func close() throws(BenchmarkError) {
    unsafe sqlite3_finalize(put)
    unsafe sqlite3_finalize(get)
    unsafe sqlite3_finalize(list)
    unsafe sqlite3_finalize(remove)
    unsafe sqlite3_finalize(readAll)
    unsafe sqlite3_finalize(rewrite)
    unsafe sqlite3_finalize(begin)
    unsafe sqlite3_finalize(commit)
    let code = unsafe sqlite3_close(database)
    guard code == SQLITE_OK else { throw .database(code) }
  }

  /// Runs calls in one transaction.
  func inTransaction(_ body: () throws(BenchmarkError) -> Void) throws(BenchmarkError) {
    unsafe try run(begin)
    try body()
    unsafe try run(commit)
  }

  /// Runs a statement that returns no rows.
  func run(_ statement: OpaquePointer) throws(BenchmarkError) {
    let code = unsafe sqlite3_step(statement)
    unsafe sqlite3_reset(statement)
    guard code == SQLITE_DONE else { throw .database(code) }
  }

  /// Writes the log back into the file and empties it.
  func emptyLog() throws(BenchmarkError) {
    let code = unsafe sqlite3_wal_checkpoint_v2(
      database,
      nil,
      SQLITE_CHECKPOINT_TRUNCATE,
      nil,
      nil
    )
    guard code == SQLITE_OK else { throw .database(code) }
  }

  /// How many rows the last statement changed.
  var changedCount: Int32 { unsafe sqlite3_changes(database) }

  private static func prepare(
    _ database: OpaquePointer,
    _ text: String
  ) throws(BenchmarkError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      database,
      text,
      -1,
      UInt32(SQLITE_PREPARE_PERSISTENT),
      &statement,
      nil
    )
    guard code == SQLITE_OK, let statement = unsafe statement else { throw .database(code) }
    return unsafe statement
  }
}
