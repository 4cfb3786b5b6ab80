struct GroupTable {
  /// One more than a vault may have; not sorted here, since SQLite would hold all of them in memory, whatever their lengths.
  let readAll = Statement(
    "SELECT id, group_id, record, counter, tag, name, state, branches FROM grp LIMIT 1025"
  )
  let read = Statement(
    "SELECT id, group_id, record, counter, tag, name, state, branches FROM grp WHERE id = ?1"
  )
  let readPosition = Statement("SELECT counter, tag FROM grp WHERE id = ?1")
  let insert = Statement(
    """
    INSERT INTO grp (group_id, record, counter, tag, name, state, branches) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """
  )
  let updateState = Statement(
    "UPDATE grp SET counter = ?2, tag = ?3, state = ?4, branches = ?5 WHERE id = ?1"
  )
  let updateRecord = Statement("UPDATE grp SET record = ?2 WHERE id = ?1")
  let updateName = Statement("UPDATE grp SET name = ?2 WHERE id = ?1")
}

extension SQLiteConnection {
  func groups() throws(DatabaseError) -> [GroupRow] {
    let reading = try start(tables.groups.readAll)
    var groups: [GroupRow] = []
    while try reading.step() {
      groups.append(try group(reading))
    }
    return groups.sorted { $0.id.precedes($1.id) }
  }

  func group(row: Int64) throws(DatabaseError) -> GroupRow? {
    let reading = try start(tables.groups.read)
    try reading.bind(1, row, in: ColumnLimits.row)
    return try reading.step() ? try group(reading) : nil
  }

  private func group(_ reading: borrowing Execution) throws(DatabaseError) -> GroupRow {
    GroupRow(
      row: try reading.integer(0, in: ColumnLimits.row),
      id: try reading.fixedBytes(1),
      record: try reading.bytes(2, count: ColumnLimits.groupRecord),
      position: GroupPosition(
        counter: try reading.integer(3, in: ColumnLimits.counter),
        tag: try reading.fixedBytes(4)
      ),
      name: try reading.bytes(5, count: ColumnLimits.name),
      state: try reading.bytes(6, count: ColumnLimits.state),
      branches: try reading.bytes(7, count: ColumnLimits.branches)
    )
  }

  func position(groupRow: Int64) throws(DatabaseError) -> GroupPosition? {
    if let known = try knownPosition(ofGroupRow: groupRow) { return known }
    let reading = try start(tables.groups.readPosition)
    try reading.bind(1, groupRow, in: ColumnLimits.row)
    guard try reading.step() else { return nil }
    return GroupPosition(
      counter: try reading.integer(0, in: ColumnLimits.counter),
      tag: try reading.fixedBytes(1)
    )
  }

  func insertGroup(
    id: Span<UInt8>,
    record: Span<UInt8>,
    counter: Int64,
    tag: Span<UInt8>,
    name: Span<UInt8>,
    state: Span<UInt8>,
    branches: Span<UInt8>
  ) throws(DatabaseError) -> Int64 {
    let change = try startChange(tables.groups.insert)
    try change.bind(1, lent: id, count: ColumnLimits.identifier)
    try change.bind(2, lent: record, count: ColumnLimits.groupRecord)
    try change.bind(3, counter, in: ColumnLimits.counter)
    try change.bind(4, lent: tag, count: ColumnLimits.tag)
    try change.bind(5, lent: name, count: ColumnLimits.name)
    try change.bind(6, lent: state, count: ColumnLimits.state)
    try change.bind(7, lent: branches, count: ColumnLimits.branches)
    try change.run()
    return try lastInsertedRow()
  }

  func updateGroupState(
    row: Int64,
    counter: Int64,
    tag: Span<UInt8>,
    state: Span<UInt8>,
    branches: Span<UInt8>
  ) throws(DatabaseError) {
    let change = try startChange(tables.groups.updateState)
    try change.bind(1, row, in: ColumnLimits.row)
    try change.bind(2, counter, in: ColumnLimits.counter)
    try change.bind(3, lent: tag, count: ColumnLimits.tag)
    try change.bind(4, lent: state, count: ColumnLimits.state)
    try change.bind(5, lent: branches, count: ColumnLimits.branches)
    try change.runOnExistingRow()
    notePosition(ofGroupRow: row, counter: counter, tag: tag)
  }

  func updateGroupRecord(row: Int64, record: Span<UInt8>) throws(DatabaseError) {
    let change = try startChange(tables.groups.updateRecord)
    try change.bind(1, row, in: ColumnLimits.row)
    try change.bind(2, lent: record, count: ColumnLimits.groupRecord)
    try change.runOnExistingRow()
  }

  func updateGroupName(row: Int64, name: Span<UInt8>) throws(DatabaseError) {
    let change = try startChange(tables.groups.updateName)
    try change.bind(1, row, in: ColumnLimits.row)
    try change.bind(2, lent: name, count: ColumnLimits.name)
    try change.runOnExistingRow()
  }
}

extension InlineArray where Element == UInt8 {
  /// Compares byte by byte, as SQLite compares blobs.
  fileprivate func precedes(_ other: Self) -> Bool {
    for index in indices where self[index] != other[index] { return self[index] < other[index] }
    return false
  }
}
