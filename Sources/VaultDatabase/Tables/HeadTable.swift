struct HeadTable {
  let read = Statement("SELECT record, state FROM head WHERE one = 1")
  let put = Statement(
    """
    INSERT INTO head (one, record, state) VALUES (1, ?1, ?2) \
    ON CONFLICT (one) DO UPDATE SET record = excluded.record, state = excluded.state
    """
  )
}

extension SQLiteConnection {
  func head() throws(DatabaseError) -> HeadRow {
    let reading = try start(tables.head.read)
    guard try reading.step() else { throw DatabaseError(.missingRow) }
    return HeadRow(
      record: try reading.bytes(0, count: ColumnLimits.headRecord),
      state: try reading.bytes(1, count: ColumnLimits.state)
    )
  }

  func putHead(_ head: HeadRow) throws(DatabaseError) {
    let change = try startChange(tables.head.put)
    try change.bind(1, copied: head.record.span, count: ColumnLimits.headRecord)
    try change.bind(2, copied: head.state.span, count: ColumnLimits.state)
    try change.run()
  }
}
