import CSQLite

/// SQLite without any of the care that a connection takes: what a stranger would edit a file with.
@safe
package final class RawDatabase {
  package struct Failure: Error {
    package let message: String

    package init(message: String) { self.message = message }
  }

  private let handle: OpaquePointer

  package init(_ path: String) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let result = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard result == SQLITE_OK, let handle = unsafe opened else {
      unsafe sqlite3_close(opened)
      throw Failure(message: "open: \(result)")
    }
    unsafe self.handle = handle
    unsafe sqlite3_busy_timeout(handle, 1_000)
  }

  deinit {
    unsafe sqlite3_close(handle)
  }

  package func execute(_ statements: String) throws {
    guard unsafe sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: unsafe String(cString: sqlite3_errmsg(handle)))
    }
  }

  /// Every row as text, with columns joined by `|`.
  package func rows(_ query: String) throws -> [String] {
    var statement: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(message: unsafe String(cString: sqlite3_errmsg(handle)))
    }
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [String] = []
    while unsafe sqlite3_step(statement) == SQLITE_ROW {
      let columnCount = unsafe sqlite3_column_count(statement)
      let columns = (0..<columnCount).map { column in
        unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) } ?? "NULL"
      }
      rows.append(columns.joined(separator: "|"))
    }
    return rows
  }
}

extension RawDatabase {
  /// Edits rows of a file behind the back of types and constraints, then puts the schema back as it was.
  package static func editWithoutConstraints(_ path: String, _ statements: String) throws {
    try edit(
      path,
      """
      CREATE TABLE kept AS SELECT name, sql FROM sqlite_schema;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET
        sql = replace(replace(replace(sql, ' STRICT, ', ' '), ' STRICT', ''), ' NOT NULL', '')
        WHERE name <> 'kept'
      """
    )
    try edit(path, statements)
    try edit(
      path,
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema AS now SET sql = (SELECT sql FROM kept WHERE kept.name = now.name)
        WHERE name <> 'kept'
      """
    )
    try edit(path, "DROP TABLE kept")
  }

  /// Edits a file over a connection of its own, which reads the schema anew.
  private static func edit(_ path: String, _ statements: String) throws {
    try RawDatabase(path).execute(statements)
  }
}
