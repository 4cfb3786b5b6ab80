/// Every statement that a connection keeps, by table.
struct Tables {
  let transactions = Transactions()
  let settings = Settings()
  let head = HeadTable()
  let slots = SlotTable()
  let groups = GroupTable()
  let pages = PageTable()
  let claims = ClaimTable()
  let boxes = BoxTable()
}

extension Tables {
  /// What a commit of one new item runs.
  fileprivate var ofNewItem: [Statement] {
    [
      transactions.beginWrite, groups.readPosition, groups.read, pages.readRange, claims.readRange,
      boxes.insert, claims.put, pages.put, groups.updateState, transactions.commit,
    ]
  }
}

extension SQLiteConnection {
  func prepareForNewItem() throws(DatabaseError) {
    let database = try unsafe handle()
    for statement in tables.ofNewItem { _ = try unsafe statement.prepared(for: database) }
  }
}
