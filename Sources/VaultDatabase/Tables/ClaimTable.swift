struct ClaimTable {
  let readRange = Statement(
    """
    SELECT item_id, kind, class, flags, device_id, version, lookup, rev, box FROM claim \
    WHERE group_id = ?1 AND lookup BETWEEN ?2 AND ?3 ORDER BY lookup LIMIT ?4
    """
  )
  let put = Statement(
    """
    INSERT INTO claim \
    (group_id, item_id, kind, class, flags, device_id, version, lookup, rev, box) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
    ON CONFLICT (group_id, lookup) DO UPDATE SET \
    item_id = excluded.item_id, kind = excluded.kind, class = excluded.class, \
    flags = excluded.flags, device_id = excluded.device_id, version = excluded.version, \
    rev = excluded.rev, box = excluded.box
    """
  )
  let delete = Statement("DELETE FROM claim WHERE group_id = ?1 AND lookup = ?2")
  let deleteRange = Statement(
    "DELETE FROM claim WHERE group_id = ?1 AND lookup BETWEEN ?2 AND ?3"
  )
  let deleteAll = Statement("DELETE FROM claim WHERE group_id = ?1")
}

/// The bytes of a claim: the columns after `group_id` in the table's order.
private enum ClaimBytes {
  static let item = 0..<16
  static let kind = 16..<17
  static let accessClass = 17..<18
  static let flags = 18..<19
  static let device = 19..<35
  static let version = 35..<43
  static let lookup = 43..<75
  static let revision = 75..<99
  static let box = 99..<107
  static let count = 107
}

extension SQLiteConnection {
  func appendClaims(
    group: Span<UInt8>,
    from first: Span<UInt8>,
    through last: Span<UInt8>,
    limit: Int,
    to rows: inout [UInt8]
  ) throws(DatabaseError) -> Int {
    let reading = try start(tables.claims.readRange)
    try reading.bind(1, lent: group, count: ColumnLimits.identifier)
    try reading.bind(2, lent: first, count: ColumnLimits.lookup)
    try reading.bind(3, lent: last, count: ColumnLimits.lookup)
    try reading.bind(4, Int64(limit), in: 0...Int64.max)
    let countBefore = rows.count
    var count = 0
    do {
      while try reading.step() {
        try append(reading, to: &rows)
        count += 1
      }
    } catch {
      rows.removeSubrange(countBefore...)
      throw error
    }
    return count
  }

  private func append(
    _ reading: borrowing Execution,
    to rows: inout [UInt8]
  ) throws(DatabaseError) {
    try reading.appendBytes(0, count: ColumnLimits.identifier, to: &rows)
    rows.append(UInt8(truncatingIfNeeded: try reading.integer(1, in: ColumnLimits.byte)))
    rows.append(UInt8(truncatingIfNeeded: try reading.integer(2, in: ColumnLimits.byte)))
    rows.append(UInt8(truncatingIfNeeded: try reading.integer(3, in: ColumnLimits.byte)))
    try reading.appendBytes(4, count: ColumnLimits.identifier, to: &rows)
    rows.append(bigEndian: try reading.integer(5, in: ColumnLimits.counter))
    try reading.appendBytes(6, count: ColumnLimits.lookup, to: &rows)
    try reading.appendBytes(7, count: ColumnLimits.revision, to: &rows)
    rows.append(bigEndian: try reading.integer(8, in: ColumnLimits.counter))
  }

  func putClaim(group: Span<UInt8>, row: Span<UInt8>) throws(DatabaseError) {
    guard row.count == ClaimBytes.count else { throw DatabaseError(.malformedRow) }
    let change = try startChange(tables.claims.put)
    try change.bind(1, lent: group, count: ColumnLimits.identifier)
    try change.bind(2, lent: row.extracting(ClaimBytes.item), count: ColumnLimits.identifier)
    try change.bind(3, row.integer(ClaimBytes.kind), in: ColumnLimits.byte)
    try change.bind(4, row.integer(ClaimBytes.accessClass), in: ColumnLimits.byte)
    try change.bind(5, row.integer(ClaimBytes.flags), in: ColumnLimits.byte)
    try change.bind(6, lent: row.extracting(ClaimBytes.device), count: ColumnLimits.identifier)
    try change.bind(7, row.integer(ClaimBytes.version), in: ColumnLimits.counter)
    try change.bind(8, lent: row.extracting(ClaimBytes.lookup), count: ColumnLimits.lookup)
    try change.bind(9, lent: row.extracting(ClaimBytes.revision), count: ColumnLimits.revision)
    try change.bind(10, row.integer(ClaimBytes.box), in: ColumnLimits.counter)
    try change.run()
  }

  func deleteClaim(group: Span<UInt8>, lookup: Span<UInt8>) throws(DatabaseError) {
    let change = try startChange(tables.claims.delete)
    try change.bind(1, lent: group, count: ColumnLimits.identifier)
    try change.bind(2, lent: lookup, count: ColumnLimits.lookup)
    try change.run()
  }

  func deleteClaims(
    group: Span<UInt8>,
    from first: Span<UInt8>,
    through last: Span<UInt8>
  ) throws(DatabaseError) {
    let change = try startChange(tables.claims.deleteRange)
    try change.bind(1, lent: group, count: ColumnLimits.identifier)
    try change.bind(2, lent: first, count: ColumnLimits.lookup)
    try change.bind(3, lent: last, count: ColumnLimits.lookup)
    try change.run()
  }

  func deleteAllClaims(group: Span<UInt8>) throws(DatabaseError) {
    let change = try startChange(tables.claims.deleteAll)
    try change.bind(1, lent: group, count: ColumnLimits.identifier)
    try change.run()
  }
}

extension Span where Element == UInt8 {
  /// The big-endian integer in a range of at most eight bytes; one above 2^63 comes out negative.
  fileprivate func integer(_ range: Range<Int>) -> Int64 {
    var value: UInt64 = 0
    for index in range { value = value << 8 | UInt64(self[index]) }
    return Int64(bitPattern: value)
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: Int64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> Int64(shift)))
    }
  }
}
