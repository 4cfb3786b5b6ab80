import CSQLite

extension SQLiteConnection {
  /// Opens a file that exists, following no symbolic link.
  static func openHandle(
    path: String,
    access: DatabaseAccess
  ) throws(DatabaseError) -> OpaquePointer {
    // A file name given to C ends at the first zero byte, and would then name another file.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw DatabaseError(.cannotOpen) }
    var flags = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
    flags |= SQLITE_OPEN_NOMUTEX
    flags |= access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    if access == .immutable { flags |= SQLITE_OPEN_URI }
    let name = access == .immutable ? immutableURI(path: path) : fileName(path: path)

    var opened: OpaquePointer?
    let result = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    // A failed opening mostly leaves a handle, which holds the error and has to be closed (sqlite.org/c3ref/open.html).
    guard result == SQLITE_OK, let handle = unsafe opened else {
      let failure = unsafe DatabaseError(resultCode: result, from: opened)
      unsafe sqlite3_close_v2(opened)
      throw failure
    }
    // Without permission to write, SQLite opens for reading and reports success.
    if access == .readWrite, unsafe sqlite3_db_readonly(handle, "main") != 0 {
      unsafe sqlite3_close_v2(handle)
      throw DatabaseError(.readOnly)
    }
    return unsafe handle
  }

  /// A name that SQLite takes for a file and nothing else.
  ///
  /// A library compiled with SQLITE_USE_URI reads a name that starts with `file:` as a URI, and every library reads
  /// `:memory:` as no file at all. Neither starts with a slash or a dot.
  private static func fileName(path: String) -> String {
    path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
  }

  /// The URI of a file that nobody changes (sqlite.org/uri.html).
  private static func immutableURI(path: String) -> String {
    let name = fileName(path: path)
    // Two slashes for an empty authority, or a path that starts with two slashes would give one.
    var uri = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:"
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        uri += byte < 0x10 ? "%0" : "%"
        uri += String(byte, radix: 16)
      }
    }
    return uri + "?immutable=1"
  }

  /// Closes what a hostile file could use, before anything in the file is read (sqlite.org/security.html).
  func harden() throws(DatabaseError) {
    let handle = try unsafe handle()
    let switches: [(option: Int32, on: Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1),
      (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_DQS_DML, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ]
    for (option, on) in switches {
      try check(unsafe csqlite_switch(handle, option, on))
    }
    let limits: [(limit: Int32, value: Int32)] = [
      (SQLITE_LIMIT_LENGTH, 8 << 20),
      (SQLITE_LIMIT_SQL_LENGTH, 10_000),
      (SQLITE_LIMIT_COLUMN, 16),
      (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    ]
    for (limit, value) in limits {
      unsafe sqlite3_limit(handle, limit, value)
    }
    try followLog()
  }

  /// Makes the last connection that closes leave the write-ahead log as it is.
  ///
  /// Other checkpoints than those inside commits are the caller's, under its own lock. A log that exists is overwritten instead of made anew, which
  /// saves the synchronisations of making it.
  func leaveLogWhenClosing() throws(DatabaseError) {
    let handle = try unsafe handle()
    try check(unsafe csqlite_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1))
    var on: Int32 = 1
    try check(unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &on))
  }
}
