import CSQLite

/// The file of a vault in the hands of somebody who has SQLite and no key.
@safe final class RawVault {
  struct Failure: Error {
    let message: String
  }

  /// What a column holds.
  enum Value: Hashable {
    case integer(Int64)
    case blob([UInt8])
  }

  private let handle: OpaquePointer

  /// Opens a file without any of the care that the product takes.
  init(_ path: String) throws {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let result = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard result == SQLITE_OK, let handle = unsafe opened else {
      unsafe sqlite3_close(opened)
      throw Failure(message: "open: \(result)")
    }
    unsafe self.handle = handle
    unsafe sqlite3_busy_timeout(handle, 10_000)
    try execute("PRAGMA synchronous = OFF")
  }

  deinit {
    unsafe sqlite3_close(handle)
  }

  /// Runs one statement with values for its parameters, and returns its rows.
  @discardableResult
  func execute(_ statement: String, _ values: [Value] = []) throws -> [[Value]] {
    var prepared: OpaquePointer?
    guard unsafe sqlite3_prepare_v2(handle, statement, -1, &prepared, nil) == SQLITE_OK,
      let prepared = unsafe prepared
    else { throw failure }
    defer { unsafe sqlite3_finalize(prepared) }
    for (index, value) in values.enumerated() {
      unsafe bind(value, at: Int32(index + 1), of: prepared)
    }
    var rows: [[Value]] = []
    while true {
      switch unsafe sqlite3_step(prepared) {
      case SQLITE_ROW: unsafe rows.append(columns(of: prepared))
      case SQLITE_DONE: return rows
      default: throw failure
      }
    }
  }

  /// Writes the log back into the file, so that the file alone is the vault.
  func emptyLog() throws {
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private var failure: Failure {
    Failure(message: unsafe String(cString: sqlite3_errmsg(handle)))
  }

  @unsafe
  private func bind(_ value: Value, at parameter: Int32, of statement: OpaquePointer) {
    switch value {
    case .integer(let integer): unsafe sqlite3_bind_int64(statement, parameter, integer)
    case .blob(let bytes):
      unsafe bytes.withUnsafeBufferPointer { buffer in
        // A null pointer would bind NULL.
        guard let start = buffer.baseAddress, !buffer.isEmpty else {
          _ = unsafe sqlite3_bind_zeroblob(statement, parameter, 0)
          return
        }
        unsafe csqlite_bind_copied_blob(statement, parameter, start, UInt64(buffer.count))
      }
    }
  }

  @unsafe
  private func columns(of statement: OpaquePointer) -> [Value] {
    (0..<(unsafe sqlite3_column_count(statement))).map { column in
      guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB else {
        return .integer(unsafe sqlite3_column_int64(statement, column))
      }
      let start = unsafe sqlite3_column_blob(statement, column)
      let count = Int(unsafe sqlite3_column_bytes(statement, column))
      return unsafe .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
    }
  }
}

extension RawVault.Value {
  /// The bytes of a blob, or an integer's eight, big-endian.
  var bytes: [UInt8] {
    switch self {
    case .blob(let bytes): bytes
    case .integer(let integer):
      (0..<8).map { UInt8(truncatingIfNeeded: integer >> Int64(56 - 8 * $0)) }
    }
  }

  /// The integer; 0 for a blob.
  var integer: Int64 {
    switch self {
    case .blob: 0
    case .integer(let integer): integer
    }
  }

  /// The same kind of value with one bit of one of its ``bytes`` flipped.
  func flipping(bit: Int, ofByte index: Int) -> Self {
    switch self {
    case .blob(var bytes):
      bytes[index] ^= 1 << UInt8(bit)
      return .blob(bytes)
    case .integer(let integer): return .integer(integer ^ 1 << Int64(56 - 8 * index + bit))
    }
  }
}

extension RawVault {
  /// All rows of a table, with all columns.
  func rows(of table: String) throws -> [[Value]] {
    try execute("SELECT * FROM \(table)")
  }

  /// Replaces all rows of a table.
  func replace(_ table: String, with rows: [[Value]]) throws {
    try execute("BEGIN")
    try execute("DELETE FROM \(table)")
    for row in rows {
      let parameters = row.map { _ in "?" }.joined(separator: ", ")
      try execute("INSERT INTO \(table) VALUES (\(parameters))", row)
    }
    try execute("COMMIT")
  }
}
