/// A vault file of SQLite.
package struct SQLiteDatabase: Database {
  private let path: String
  private let busyTimeout: Int32

  /// Names the file; it is touched only by `create` and `connect`.
  ///
  /// A call of a connection waits up to `milliseconds` for the locks of others.
  package init(path: String, busyTimeout milliseconds: Int32) {
    self.path = path
    self.busyTimeout = milliseconds
  }

  package func create() throws(DatabaseError) {
    let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
    defer { connection.close() }
    try connection.createTables()
  }

  package func connect(
    _ access: DatabaseAccess
  ) throws(DatabaseError) -> sending any DatabaseConnection {
    let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
    try connection.leaveLogWhenClosing()
    try connection.applySettings()
    try connection.verifyLayout(access)
    return connection
  }
}
