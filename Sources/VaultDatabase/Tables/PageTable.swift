struct PageTable {
  let readRange = Statement(
    """
    SELECT number, items, tag FROM page \
    WHERE group_id = ?1 AND number BETWEEN ?2 AND ?3 ORDER BY number LIMIT ?4
    """
  )
  let put = Statement(
    """
    INSERT INTO page (group_id, number, items, tag) VALUES (?1, ?2, ?3, ?4) \
    ON CONFLICT (group_id, number) DO UPDATE SET items = excluded.items, tag = excluded.tag
    """
  )
  let delete = Statement("DELETE FROM page WHERE group_id = ?1 AND number = ?2")
  let deleteRange = Statement(
    "DELETE FROM page WHERE group_id = ?1 AND number BETWEEN ?2 AND ?3"
  )
  let deleteAll = Statement("DELETE FROM page WHERE group_id = ?1")
}

extension SQLiteConnection {
  func pages(
    group: Span<UInt8>,
    from first: Int,
    through last: Int
  ) throws(DatabaseError) -> [PageRow] {
    let reading = try start(tables.pages.readRange)
    try reading.bind(1, lent: group, count: ColumnLimits.identifier)
    try reading.bind(2, Int64(first), in: ColumnLimits.pageNumber)
    try reading.bind(3, Int64(last), in: ColumnLimits.pageNumber)
    // One more than the range holds when numbers are unique.
    try reading.bind(4, Int64(last) - Int64(first) + 2, in: ColumnLimits.row)
    var pages: [PageRow] = []
    while try reading.step() {
      pages.append(
        PageRow(
          number: Int(try reading.integer(0, in: ColumnLimits.pageNumber)),
          items: Int(try reading.integer(1, in: ColumnLimits.pageItems)),
          tag: try reading.fixedBytes(2)
        )
      )
    }
    return pages
  }

  func putPage(group: Span<UInt8>, _ page: PageRow) throws(DatabaseError) {
    let change = try startChange(tables.pages.put)
    try change.bind(1, lent: group, count: ColumnLimits.identifier)
    try change.bind(2, Int64(page.number), in: ColumnLimits.pageNumber)
    try change.bind(3, Int64(page.items), in: ColumnLimits.pageItems)
    try change.bind(4, copied: page.tag.span, count: ColumnLimits.tag)
    try change.run()
  }

  func deletePage(group: Span<UInt8>, number: Int) throws(DatabaseError) {
    let change = try startChange(tables.pages.delete)
    try change.bind(1, lent: group, count: ColumnLimits.identifier)
    try change.bind(2, Int64(number), in: ColumnLimits.pageNumber)
    try change.run()
  }

  func deletePages(
    group: Span<UInt8>,
    from first: Int,
    through last: Int
  ) throws(DatabaseError) {
    let change = try startChange(tables.pages.deleteRange)
    try change.bind(1, lent: group, count: ColumnLimits.identifier)
    try change.bind(2, Int64(first), in: ColumnLimits.pageNumber)
    try change.bind(3, Int64(last), in: ColumnLimits.pageNumber)
    try change.run()
  }

  func deleteAllPages(group: Span<UInt8>) throws(DatabaseError) {
    let change = try startChange(tables.pages.deleteAll)
    try change.bind(1, lent: group, count: ColumnLimits.identifier)
    try change.run()
  }
}
