struct BoxTable {
  let insert = Statement("INSERT INTO box (attributes, secret, history) VALUES (?1, ?2, ?3)")
  let update = Statement(
    "UPDATE box SET attributes = ?2, secret = ?3, history = ?4 WHERE id = ?1"
  )
  let delete = Statement("DELETE FROM box WHERE id = ?1")

  /// One statement is one snapshot; two could see the position of one commit and the box of another.
  let readAttributes = Statement(
    "SELECT g.counter, g.tag, b.attributes FROM grp g LEFT JOIN box b ON b.id = ?2 WHERE g.id = ?1"
  )
  let readSecret = Statement(
    "SELECT g.counter, g.tag, b.secret FROM grp g LEFT JOIN box b ON b.id = ?2 WHERE g.id = ?1"
  )
  let readHistory = Statement(
    "SELECT g.counter, g.tag, b.history FROM grp g LEFT JOIN box b ON b.id = ?2 WHERE g.id = ?1"
  )

  /// Of boxes that a claim can name: from 1 to 2^62.
  let readAllAttributes = Statement(
    "SELECT id, attributes FROM box WHERE id BETWEEN 1 AND 4611686018427387904 ORDER BY id"
  )

  /// The length of a blob is in the head of its row, so that the blob itself is not read.
  let readAllSizes = Statement(
    """
    SELECT id, CASE typeof(attributes) WHEN 'blob' THEN length(attributes) END, \
    CASE typeof(secret) WHEN 'blob' THEN length(secret) END, \
    CASE typeof(history) WHEN 'blob' THEN length(history) END FROM box ORDER BY id
    """
  )

  func read(_ part: BoxPart) -> Statement {
    switch part {
    case .attributes: readAttributes
    case .secret: readSecret
    case .history: readHistory
    }
  }
}

extension BoxPart {
  fileprivate var limit: ClosedRange<Int> {
    switch self {
    case .attributes: ColumnLimits.attributes
    case .secret: ColumnLimits.secret
    case .history: ColumnLimits.history
    }
  }
}

extension SQLiteConnection {
  func insertBox(
    attributes: Span<UInt8>,
    secret: Span<UInt8>,
    history: Span<UInt8>
  ) throws(DatabaseError) -> Int64 {
    let change = try startChange(tables.boxes.insert)
    try change.bind(1, lent: attributes, count: ColumnLimits.attributes)
    try change.bind(2, lent: secret, count: ColumnLimits.secret)
    try change.bind(3, lent: history, count: ColumnLimits.history)
    try change.run()
    // Beside a row of the highest number there is, SQLite picks numbers at random.
    let box = try lastInsertedRow()
    guard ColumnLimits.counter.contains(box) else { throw DatabaseError(.malformedRow) }
    return box
  }

  func updateBox(
    id: Int64,
    attributes: Span<UInt8>,
    secret: Span<UInt8>,
    history: Span<UInt8>
  ) throws(DatabaseError) {
    let change = try startChange(tables.boxes.update)
    try change.bind(1, id, in: ColumnLimits.counter)
    try change.bind(2, lent: attributes, count: ColumnLimits.attributes)
    try change.bind(3, lent: secret, count: ColumnLimits.secret)
    try change.bind(4, lent: history, count: ColumnLimits.history)
    try change.runOnExistingRow()
  }

  func deleteBox(id: Int64) throws(DatabaseError) {
    let change = try startChange(tables.boxes.delete)
    try change.bind(1, id, in: ColumnLimits.counter)
    try change.run()
  }

  func withBox<Result: ~Copyable>(
    _ part: BoxPart,
    box: Int64,
    groupRow: Int64,
    _ body: (_ counter: Int64, _ tag: Span<UInt8>, _ blob: Span<UInt8>?) -> Result
  ) throws(DatabaseError) -> Result {
    let reading = try start(tables.boxes.read(part))
    try reading.bind(1, groupRow, in: ColumnLimits.row)
    try reading.bind(2, box, in: ColumnLimits.counter)
    guard try reading.step() else { throw DatabaseError(.missingRow) }
    let counter = try reading.integer(0, in: ColumnLimits.counter)
    return try reading.withBytes(1, count: ColumnLimits.tag) { tag throws(DatabaseError) in
      if reading.isNull(2) { return body(counter, tag, nil) }
      return try reading.withBytes(2, count: part.limit) { blob throws(DatabaseError) in
        body(counter, tag, blob)
      }
    }
  }

  func forEachAttributes(
    _ body: (_ box: Int64, _ attributes: Span<UInt8>) -> Bool
  ) throws(DatabaseError) {
    let reading = try start(tables.boxes.readAllAttributes)
    while try reading.step() {
      let box = try reading.integer(0, in: ColumnLimits.counter)
      let isEnough = try reading.withBytes(1, count: ColumnLimits.attributes) {
        attributes throws(DatabaseError) in !body(box, attributes)
      }
      if isEnough { return }
    }
  }

  func forEachBox(_ body: (BoxSizes) -> Bool) throws(DatabaseError) {
    let reading = try start(tables.boxes.readAllSizes)
    while try reading.step() {
      let sizes = BoxSizes(
        box: try reading.integer(0, in: ColumnLimits.row),
        attributes: try length(reading, 1, of: .attributes),
        secret: try length(reading, 2, of: .secret),
        history: try length(reading, 3, of: .history)
      )
      guard body(sizes) else { return }
    }
  }
}

extension SQLiteConnection {
  private func length(
    _ reading: borrowing Execution,
    _ column: Int32,
    of part: BoxPart
  ) throws(DatabaseError) -> Int {
    let limit = Int64(part.limit.lowerBound)...Int64(part.limit.upperBound)
    return Int(try reading.integer(column, in: limit))
  }
}

extension SQLiteConnection: DatabaseConnection {}
