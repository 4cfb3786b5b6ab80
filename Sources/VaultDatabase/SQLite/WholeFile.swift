import CSQLite

extension SQLiteConnection {
  func checkpoint(_ mode: CheckpointMode) throws(DatabaseError) -> Bool {
    let engineMode =
      switch mode {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    guard try !isInTransaction() else { throw DatabaseError(.misuse) }
    var logged: Int32 = 0
    var written: Int32 = 0
    // Waiting for readers would hold the write lock for as long.
    try setBusyTimeout(0)
    let result = unsafe sqlite3_wal_checkpoint_v2(
      try handle(),
      "main",
      engineMode,
      &logged,
      &written
    )
    try setBusyTimeout(busyTimeout)
    if result & 0xff == SQLITE_BUSY { return false }
    try check(result)
    // Both count the frames of the log; a log that was emptied has none.
    noteLog(pageCount: Int(max(logged, 0)))
    return logged == written && (mode == .passive || logged == 0)
  }

  func integrityCheck() throws(DatabaseError) -> Bool {
    let database = try unsafe handle()
    let check = try start(tables.settings.integrityCheck)
    if try check.step(), check.isText(0, "ok") { return true }
    // The check goes on after a page that cannot be read, and counts it as damage.
    guard unsafe csqlite_met_failed_disk(database) == 0 else { throw DatabaseError(.io) }
    return false
  }

  func backup(to path: String) throws(DatabaseError) {
    let copy = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
    defer { copy.close() }
    try copy.execute(Settings.ofCopy)
    try copy.replaceContent(byThatOf: self)
  }

  func restore(from source: any DatabaseConnection) throws(DatabaseError) {
    guard let source = source as? SQLiteConnection, source !== self else {
      throw DatabaseError(.misuse)
    }
    try replaceContent(byThatOf: source)
  }

  private func replaceContent(byThatOf source: SQLiteConnection) throws(DatabaseError) {
    guard try !isInTransaction() else { throw DatabaseError(.misuse) }
    let target = try unsafe handle()
    let backup = unsafe sqlite3_backup_init(target, "main", try source.handle(), "main")
    guard let backup = unsafe backup else {
      throw unsafe DatabaseError(resultCode: sqlite3_extended_errcode(target), from: target)
    }
    // All pages in one step: nobody can write between two of them, so the copy is one snapshot.
    let stepped = unsafe sqlite3_backup_step(backup, -1)
    let finished = unsafe sqlite3_backup_finish(backup)
    guard stepped == SQLITE_DONE else {
      throw unsafe DatabaseError(resultCode: stepped, from: target)
    }
    try check(finished)
  }
}
