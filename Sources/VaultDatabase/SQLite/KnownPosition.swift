import CSQLite

/// Where a group was at the last commit of this connection.
struct KnownPosition {
  let row: Int64
  let position: GroupPosition
  /// What SQLite called the content of the file then.
  let dataVersion: UInt32
}

extension SQLiteConnection {
  /// Notes the position that the open transaction gives a group; of several groups the last is known afterwards.
  func notePosition(ofGroupRow row: Int64, counter: Int64, tag: Span<UInt8>) {
    var copy = InlineArray<32, UInt8>(repeating: 0)
    for index in copy.indices where index < tag.count { copy[index] = tag[index] }
    writtenPosition = (row, GroupPosition(counter: counter, tag: copy))
  }

  /// Keeps what the transaction that has just been committed noted.
  func keepWrittenPosition() {
    guard let (row, position) = writtenPosition.take() else { return }
    knownPosition = dataVersion.map {
      KnownPosition(row: row, position: position, dataVersion: $0)
    }
  }

  /// The position of a group that this connection knows without reading it, in a write transaction that changed none.
  ///
  /// Outside of a write transaction SQLite may not have looked yet whether others have committed.
  func knownPosition(ofGroupRow row: Int64) throws(DatabaseError) -> GroupPosition? {
    guard let known = knownPosition, known.row == row, writtenPosition == nil,
      unsafe sqlite3_txn_state(try handle(), "main") == SQLITE_TXN_WRITE,
      dataVersion == known.dataVersion
    else { return nil }
    return known.position
  }

  /// A number that any commit changes, of this connection or another, or `nil` where SQLite cannot tell
  /// (sqlite.org/c3ref/c_fcntl_begin_atomic_write.html, SQLITE_FCNTL_DATA_VERSION).
  private var dataVersion: UInt32? {
    guard let database = try? unsafe handle() else { return nil }
    var version: UInt32 = 0
    let result = unsafe sqlite3_file_control(
      database,
      "main",
      SQLITE_FCNTL_DATA_VERSION,
      &version
    )
    return result == SQLITE_OK ? version : nil
  }
}
