import CSQLite
import Glibc

/// The write-ahead log: how it grows, and when it is written back.
extension SQLiteConnection {
  /// A log of that many pages is written back after a commit, which the caller makes under its own lock.
  private static let pageLimit = 1000
  /// The sizes of the log's header and of a frame, which holds one page (sqlite.org/fileformat2.html, section 4.1).
  private static let headerByteCount = 32
  private static let frameByteCount = 24 + 4096
  /// How many pages a small commit writes at most.
  private static let pagesPerCommit = 8
  /// The longest piece by which the log grows ahead of its use.
  private static let growthByteCount = 256 * 1024
  private static let zeros = [UInt8](repeating: 0, count: 64 * 1024)

  /// Notes after each commit how long the log is, and writes back a long one.
  ///
  /// SQLite has one hook for both, whose own use it gives up here (sqlite.org/c3ref/wal_hook.html).
  func followLog() throws(DatabaseError) {
    // The handle, and so the hook, ends before this object does.
    let connection = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe sqlite3_wal_hook(
      try handle(),
      { connection, database, name, pageCount in
        guard let connection = unsafe connection else { return SQLITE_OK }
        unsafe Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue()
          .noteLog(pageCount: Int(pageCount))
        if pageCount >= SQLiteConnection.pageLimit {
          // What cannot be written back now stays in the log, and is tried again after the next commit.
          _ = unsafe sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      },
      connection
    )
  }

  /// Notes how many pages the log holds.
  func noteLog(pageCount: Int) {
    // A log that began anew may have been cut off before.
    if pageCount < logPageCount { logByteCount = 0 }
    logPageCount = pageCount
  }

  /// Writes zeros behind the end of the log where the commit that follows would make it longer.
  ///
  /// A commit inside a file takes about half as long as one that makes it longer, whose new length the system has to
  /// make durable as well. SQLite takes zeros for the end of the log. Inside a write transaction nobody else makes the
  /// log longer or shorter; a log that was emptied since the last commit stays so. If the disk is full, the commit will
  /// tell.
  ///
  /// The length is asked for only where it may be too short: after a question for a file's status, Linux gives the next
  /// write a time of its own, which the commit would have to make durable as well
  /// (docs.kernel.org/filesystems/multigrain-ts.html).
  func lengthenLog() throws(DatabaseError) {
    let used = Self.headerByteCount + logPageCount * Self.frameByteCount
    let needed = used + Self.pagesPerCommit * Self.frameByteCount
    // The first commit of a connection is often the only one.
    guard logPageCount > 0, logByteCount < needed, let log = unsafe csqlite_log(try handle())
    else { return }
    var size: sqlite3_int64 = 0
    let methods = unsafe log.pointee.pMethods.pointee
    guard unsafe methods.xFileSize(log, &size) == SQLITE_OK else { return }
    defer { logByteCount = Int(size) }
    guard (used..<needed).contains(Int(size)) else { return }
    let end = min(size + sqlite3_int64(min(used, Self.growthByteCount)), Self.fileSizeLimit)
    while size < end {
      let count = min(Self.zeros.count, Int(end - size))
      let result = unsafe Self.zeros.withUnsafeBytes { zeros in
        unsafe methods.xWrite(log, zeros.baseAddress, Int32(count), size)
      }
      guard result == SQLITE_OK else { return }
      size += sqlite3_int64(count)
    }
  }

  /// How long a file of this process may get; one byte more would end the process by a signal (getrlimit(2)).
  private static var fileSizeLimit: sqlite3_int64 {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
      return 0
    }
    return sqlite3_int64(clamping: limit.rlim_cur)
  }

  func synchronizeLog() throws(DatabaseError) {
    guard let log = unsafe csqlite_log(try handle()) else { return }
    try check(unsafe log.pointee.pMethods.pointee.xSync(log, SQLITE_SYNC_NORMAL))
  }
}
