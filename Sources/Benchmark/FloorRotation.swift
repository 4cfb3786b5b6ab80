import CSQLite

extension Floor {
  /// A row as it is stored.
  private struct Row {
    let id: Int64
    let lookup: [UInt8]
    let attributes: [UInt8]
    let value: [UInt8]
  }

  func makeRotation() throws(BenchmarkError) -> () throws(BenchmarkError) -> Void {
    { () throws(BenchmarkError) in try self.rotate() }
  }

  /// Seals every row under another key and lookup, in one transaction.
  private func rotate() throws(BenchmarkError) {
    let next = try FloorCipher(generation: generation + 1)
    try statements.inTransaction { () throws(BenchmarkError) in
      for row in try rows() { try rewrite(row, with: next) }
    }
    generation += 1
    cipher = next
  }

  private func rows() throws(BenchmarkError) -> [Row] {
    let readAll = unsafe statements.readAll
    defer { unsafe sqlite3_reset(readAll) }
    var rows: [Row] = []
    while true {
      let code = unsafe sqlite3_step(readAll)
      guard code == SQLITE_ROW else {
        guard code == SQLITE_DONE else { throw .database(code) }
        return rows
      }
      rows.append(
        Row(
          id: unsafe sqlite3_column_int64(readAll, 0),
          lookup: unsafe blob(readAll, 1),
          attributes: unsafe blob(readAll, 2),
          value: unsafe blob(readAll, 3)
        )
      )
    }
  }

  private func rewrite(_ row: Row, with next: FloorCipher) throws(BenchmarkError) {
    let count = unsafe try cipher.open(
      row.attributes,
      count: Int32(row.attributes.count),
      lookup: row.lookup,
      into: attributes
    )
    unsafe try next.lookup(of: decode(count), into: lookup)
    let attributesCount = unsafe try next.seal(
      attributes,
      count: count,
      lookup: lookup,
      into: sealedAttributes
    )
    let plainCount = unsafe try cipher.open(
      row.value,
      count: Int32(row.value.count),
      lookup: row.lookup,
      into: plaintext
    )
    let valueCount = unsafe try next.seal(
      plaintext,
      count: plainCount,
      lookup: lookup,
      into: sealedValue
    )
    let rewrite = unsafe statements.rewrite
    unsafe sqlite3_bind_int64(rewrite, 1, row.id)
    unsafe sqlite3_bind_blob(rewrite, 2, lookup, Int32(FloorCipher.lookupByteCount), nil)
    unsafe sqlite3_bind_blob(rewrite, 3, sealedAttributes, attributesCount, nil)
    unsafe sqlite3_bind_blob(rewrite, 4, sealedValue, valueCount, nil)
    unsafe try statements.run(rewrite)
  }

  private func blob(_ row: OpaquePointer, _ column: Int32) -> [UInt8] {
    let count = Int(unsafe sqlite3_column_bytes(row, column))
    return unsafe Array(
      UnsafeRawBufferPointer(start: sqlite3_column_blob(row, column), count: count)
    )
  }
}
