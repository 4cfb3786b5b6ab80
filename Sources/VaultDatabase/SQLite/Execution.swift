import CSQLite

/// One use of a prepared statement: bind, step, read; the statement is ready for the next use when this value ends.
///
/// Only one execution of a connection exists at a time.
@safe struct Execution: ~Copyable {
  private let connection: SQLiteConnection
  private let database: OpaquePointer
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer, of database: OpaquePointer, on connection: SQLiteConnection) {
    self.connection = connection
    unsafe self.database = database
    unsafe self.statement = statement
    connection.isExecuting = true
  }

  /// The result of the reset is that of the last step, which was reported there.
  deinit {
    unsafe sqlite3_reset(statement)
    unsafe sqlite3_clear_bindings(statement)
    connection.isExecuting = false
  }

  // MARK: Stepping

  /// Moves to the next row and returns whether there is one.
  func step() throws(DatabaseError) -> Bool {
    switch unsafe sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let failure: throw unsafe DatabaseError(resultCode: failure, from: database)
    }
  }

  /// Runs a change to its end and returns the number of rows it changed.
  @discardableResult
  consuming func run() throws(DatabaseError) -> Int64 {
    while try step() {}
    return unsafe sqlite3_changes64(database)
  }

  /// Runs a change of one row that must exist.
  consuming func runOnExistingRow() throws(DatabaseError) {
    guard try run() > 0 else { throw DatabaseError(.missingRow) }
  }

  // MARK: Binding

  /// Binds an integer that is in `range`; parameters count from 1.
  func bind(_ parameter: Int32, _ value: Int64, in range: ClosedRange<Int64>) throws(DatabaseError)
  {
    guard range.contains(value) else { throw DatabaseError(.malformedRow) }
    try check(unsafe sqlite3_bind_int64(statement, parameter, value))
  }

  /// Binds bytes that stay where they are until this execution has ended, without copying them.
  ///
  /// That holds for a span that the caller of the connection passed in.
  func bind(
    _ parameter: Int32,
    lent bytes: Span<UInt8>,
    count: ClosedRange<Int>
  ) throws(DatabaseError) {
    try unsafe bind(parameter, bytes, count: count) { start, length in
      unsafe sqlite3_bind_blob64(statement, parameter, start, length, nil)
    }
  }

  /// Binds bytes that may move before the statement is stepped, such as those inside a row value.
  func bind(
    _ parameter: Int32,
    copied bytes: Span<UInt8>,
    count: ClosedRange<Int>
  ) throws(DatabaseError) {
    try unsafe bind(parameter, bytes, count: count) { start, length in
      unsafe csqlite_bind_copied_blob(statement, parameter, start, length)
    }
  }

  private func bind(
    _ parameter: Int32,
    _ bytes: Span<UInt8>,
    count: ClosedRange<Int>,
    with bindBlob: (UnsafePointer<UInt8>, UInt64) -> Int32
  ) throws(DatabaseError) {
    guard count.contains(bytes.count) else { throw DatabaseError(.malformedRow) }
    let result = unsafe bytes.withUnsafeBufferPointer { buffer in
      // A null pointer would bind NULL whatever its length, so an empty blob has a call of its own.
      guard let start = buffer.baseAddress, !buffer.isEmpty else {
        return unsafe sqlite3_bind_zeroblob(statement, parameter, 0)
      }
      return unsafe bindBlob(start, UInt64(buffer.count))
    }
    try check(result)
  }

  private func check(_ result: Int32) throws(DatabaseError) {
    guard result == SQLITE_OK else {
      throw unsafe DatabaseError(resultCode: result, from: database)
    }
  }

  // MARK: Reading; columns count from 0

  /// Whether a column is NULL.
  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// Reads an integer that must be in `range`.
  func integer(_ column: Int32, in range: ClosedRange<Int64>) throws(DatabaseError) -> Int64 {
    guard unsafe sqlite3_column_type(statement, column) == SQLITE_INTEGER else {
      throw DatabaseError(.malformedRow)
    }
    let value = unsafe sqlite3_column_int64(statement, column)
    guard range.contains(value) else { throw DatabaseError(.malformedRow) }
    return value
  }

  /// Reads a blob whose length must be in `count`.
  func bytes(_ column: Int32, count: ClosedRange<Int>) throws(DatabaseError) -> [UInt8] {
    try unsafe Array(blob(column, count: count))
  }

  /// Reads a blob of exactly the length of the result.
  func fixedBytes<let length: Int>(
    _ column: Int32
  ) throws(DatabaseError) -> InlineArray<length, UInt8> {
    let source = try unsafe blob(column, count: length...length)
    return InlineArray { index in unsafe source[index] }
  }

  /// Appends a blob whose length must be in `count`.
  func appendBytes(
    _ column: Int32,
    count: ClosedRange<Int>,
    to bytes: inout [UInt8]
  ) throws(DatabaseError) {
    unsafe bytes.append(contentsOf: try blob(column, count: count))
  }

  /// Lends the engine's own memory of a blob whose length must be in `count`.
  func withBytes<Result: ~Copyable>(
    _ column: Int32,
    count: ClosedRange<Int>,
    _ body: (Span<UInt8>) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let bytes = try unsafe blob(column, count: count)
    return try unsafe body(bytes.span)
  }

  /// The engine's memory of a blob, valid until this execution steps or ends.
  @unsafe
  private func blob(
    _ column: Int32,
    count: ClosedRange<Int>
  ) throws(DatabaseError) -> UnsafeBufferPointer<UInt8> {
    guard unsafe sqlite3_column_type(statement, column) == SQLITE_BLOB else {
      throw DatabaseError(.malformedRow)
    }
    // First the pointer and then its length: the pointer may be made by a conversion that changes the length
    // (sqlite.org/c3ref/column_blob.html).
    let start = unsafe sqlite3_column_blob(statement, column)
    let length = Int(unsafe sqlite3_column_bytes(statement, column))
    guard count.contains(length) else { throw DatabaseError(.malformedRow) }
    guard length > 0 else { return unsafe UnsafeBufferPointer(start: nil, count: 0) }
    guard let start = unsafe start else { throw DatabaseError(.outOfMemory) }
    let elements = unsafe start.assumingMemoryBound(to: UInt8.self)
    return unsafe UnsafeBufferPointer(start: elements, count: length)
  }

  /// Whether a column is exactly this text.
  func isText(_ column: Int32, _ expected: StaticString) -> Bool {
    guard unsafe sqlite3_column_type(statement, column) == SQLITE_TEXT,
      let text = unsafe sqlite3_column_text(statement, column)
    else { return false }
    let length = Int(unsafe sqlite3_column_bytes(statement, column))
    let found = unsafe UnsafeBufferPointer(start: text, count: length)
    let wanted = unsafe UnsafeBufferPointer(
      start: expected.utf8Start,
      count: expected.utf8CodeUnitCount
    )
    return unsafe found.elementsEqual(wanted)
  }
}
