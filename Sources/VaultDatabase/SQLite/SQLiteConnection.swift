import CSQLite

/// An open SQLite file: the owner of its handle and of the statements prepared on it.
///
/// The methods that read and change rows are beside the SQL they run, under `Tables`.
@safe final class SQLiteConnection {
  let tables = Tables()

  /// Whether an `Execution` exists.
  var isExecuting = false

  /// How many pages the log held after the last commit of this connection; 0 before the first.
  var logPageCount = 0
  /// How long the log's file was when that was asked last; 0 where it may be shorter by now.
  var logByteCount = 0

  /// The position that the open transaction gave a group.
  var writtenPosition: (row: Int64, position: GroupPosition)?
  /// The position that the last commit of this connection gave a group.
  var knownPosition: KnownPosition?

  private var database: OpaquePointer?
  let busyTimeout: Int32

  /// Opens a file and switches off what a hostile file could make use of; reads none of its tables.
  init(path: String, access: DatabaseAccess, busyTimeout: Int32) throws(DatabaseError) {
    self.busyTimeout = busyTimeout
    unsafe self.database = try SQLiteConnection.openHandle(path: path, access: access)
    // From here on the handle is closed by deinit when something throws.
    try harden()
    try setBusyTimeout(busyTimeout)
  }

  deinit {
    close()
  }

  func close() {
    guard !isExecuting, let database = unsafe database else { return }
    while let statement = unsafe sqlite3_next_stmt(database, nil) {
      unsafe sqlite3_finalize(statement)
    }
    // With no statement left nothing keeps the handle open; an open transaction is rolled back.
    unsafe sqlite3_close_v2(database)
    unsafe self.database = nil
  }

  /// Gives the handle to code that is not a statement.
  func handle() throws(DatabaseError) -> OpaquePointer {
    guard !isExecuting, let database = unsafe database else { throw DatabaseError(.misuse) }
    return unsafe database
  }

  // MARK: Statements

  /// Starts one use of a statement.
  func start(_ statement: Statement) throws(DatabaseError) -> Execution {
    let database = try unsafe handle()
    let prepared = try unsafe statement.prepared(for: database)
    return unsafe Execution(prepared, of: database, on: self)
  }

  /// Starts one use of a statement that changes rows.
  ///
  /// Some failures make SQLite roll back at once. A change that came after one would be committed alone, so it is refused.
  func startChange(_ statement: Statement) throws(DatabaseError) -> Execution {
    guard try isInTransaction() else { throw DatabaseError(.misuse) }
    return try start(statement)
  }

  /// Runs statements that bind nothing and whose rows do not matter.
  func execute(_ text: StaticString) throws(DatabaseError) {
    let database = try unsafe handle()
    let result = unsafe text.withCharacters { characters, _ in
      unsafe sqlite3_exec(database, characters, nil, nil, nil)
    }
    try check(result)
  }

  /// The row number of the last row inserted.
  func lastInsertedRow() throws(DatabaseError) -> Int64 {
    unsafe sqlite3_last_insert_rowid(try handle())
  }

  func check(_ result: Int32) throws(DatabaseError) {
    guard result == SQLITE_OK else {
      throw unsafe DatabaseError(resultCode: result, from: database)
    }
  }

  /// How long a call waits for the locks of others, in milliseconds.
  func setBusyTimeout(_ milliseconds: Int32) throws(DatabaseError) {
    try check(unsafe sqlite3_busy_timeout(try handle(), milliseconds))
  }

  // MARK: Transactions

  func isInTransaction() throws(DatabaseError) -> Bool {
    unsafe sqlite3_get_autocommit(try handle()) == 0
  }

  func beginRead() throws(DatabaseError) {
    try begin(tables.transactions.beginRead)
  }

  func beginWrite() throws(DatabaseError) {
    try begin(tables.transactions.beginWrite)
  }

  func beginWrite(waiting milliseconds: Int32) throws(DatabaseError) {
    try setBusyTimeout(min(milliseconds, busyTimeout))
    let result = Result { () throws(DatabaseError) in try beginWrite() }
    try setBusyTimeout(busyTimeout)
    try result.get()
  }

  private func begin(_ statement: Statement) throws(DatabaseError) {
    guard try !isInTransaction() else { throw DatabaseError(.misuse) }
    writtenPosition = nil
    try start(statement).run()
  }

  func commit() throws(DatabaseError) {
    guard try isInTransaction() else { throw DatabaseError(.misuse) }
    try lengthenLog()
    do {
      try start(tables.transactions.commit).run()
    } catch {
      rollback()
      throw error
    }
    keepWrittenPosition()
  }

  /// SQLite has already rolled back wherever this fails, so the result says nothing.
  func rollback() {
    guard !isExecuting, let database = unsafe database else { return }
    guard unsafe sqlite3_get_autocommit(database) == 0 else { return }
    _ = unsafe Transactions.rollback.withCharacters { characters, _ in
      unsafe sqlite3_exec(database, characters, nil, nil, nil)
    }
  }
}
