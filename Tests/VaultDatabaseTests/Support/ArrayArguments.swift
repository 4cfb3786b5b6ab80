import VaultDatabase

/// The calls of a connection with arrays in place of spans, since a span of a temporary array ends too early.
extension DatabaseConnection {
  func deleteSlot(id: [UInt8]) throws {
    try deleteSlot(id: id.span)
  }

  /// Adds a group with sample values.
  func insertGroup(id: [UInt8] = groupID, counter: Int64 = 1) throws -> Int64 {
    let record = pattern(128)
    let tag = pattern(32, seed: Int(truncatingIfNeeded: counter))
    let name = pattern(112)
    let state: [UInt8] = []
    let branches = pattern(38)
    return try insertGroup(
      id: id.span,
      record: record.span,
      counter: counter,
      tag: tag.span,
      name: name.span,
      state: state.span,
      branches: branches.span
    )
  }

  func updateGroupState(
    row: Int64,
    counter: Int64,
    tag: [UInt8],
    state: [UInt8],
    branches: [UInt8]
  ) throws {
    try updateGroupState(
      row: row,
      counter: counter,
      tag: tag.span,
      state: state.span,
      branches: branches.span
    )
  }

  func updateGroupRecord(row: Int64, record: [UInt8]) throws {
    try updateGroupRecord(row: row, record: record.span)
  }

  func updateGroupName(row: Int64, name: [UInt8]) throws {
    try updateGroupName(row: row, name: name.span)
  }

  func pages(group: [UInt8] = groupID, from first: Int, through last: Int) throws -> [PageRow] {
    try pages(group: group.span, from: first, through: last)
  }

  func putPage(group: [UInt8] = groupID, _ page: PageRow) throws {
    try putPage(group: group.span, page)
  }

  func deletePage(group: [UInt8] = groupID, number: Int) throws {
    try deletePage(group: group.span, number: number)
  }

  func deleteAllPages(group: [UInt8] = groupID) throws {
    try deleteAllPages(group: group.span)
  }

  /// Reads all claims of a range that is everything unless told otherwise.
  func claims(
    group: [UInt8] = groupID,
    from first: [UInt8] = [UInt8](repeating: 0, count: 32),
    through last: [UInt8] = [UInt8](repeating: 0xff, count: 32),
    limit: Int = 100,
    after rows: [UInt8] = []
  ) throws -> (count: Int, rows: [UInt8]) {
    var rows = rows
    let count = try appendClaims(
      group: group.span,
      from: first.span,
      through: last.span,
      limit: limit,
      to: &rows
    )
    return (count, rows)
  }

  func putClaim(group: [UInt8] = groupID, _ row: [UInt8]) throws {
    try putClaim(group: group.span, row: row.span)
  }

  func deleteClaim(group: [UInt8] = groupID, lookup: [UInt8]) throws {
    try deleteClaim(group: group.span, lookup: lookup.span)
  }

  func deleteClaims(group: [UInt8] = groupID, from first: [UInt8], through last: [UInt8]) throws {
    try deleteClaims(group: group.span, from: first.span, through: last.span)
  }

  func deleteAllClaims(group: [UInt8] = groupID) throws {
    try deleteAllClaims(group: group.span)
  }

  func insertBox(_ attributes: [UInt8], _ secret: [UInt8], _ history: [UInt8]) throws -> Int64 {
    try insertBox(attributes: attributes.span, secret: secret.span, history: history.span)
  }

  func updateBox(id: Int64, _ attributes: [UInt8], _ secret: [UInt8], _ history: [UInt8]) throws {
    try updateBox(
      id: id,
      attributes: attributes.span,
      secret: secret.span,
      history: history.span
    )
  }

  /// Reads a part of a box, or nil where it is missing.
  func blob(_ part: BoxPart, box: Int64, groupRow: Int64) throws -> [UInt8]? {
    try withBox(part, box: box, groupRow: groupRow) { _, _, blob in optionalArray(blob) }
  }
}
