import CLinux
import Glibc
import VaultDatabase

/// Where a vault is: an open folder, and the names in it.
///
/// The vault file itself is never opened here. One `close` of it anywhere in the process would drop the
/// locks that SQLite holds on it ("How To Corrupt An SQLite Database File", section 2.2).
struct VaultLocation: Sendable {
  let folder: FileDescriptor
  /// The absolute path of the folder, links resolved.
  let folderPath: String
  let name: String
  let rules: FileRules

  /// The absolute path of the vault file.
  var path: String { path(of: name) }

  /// The absolute path of a file beside the vault.
  func path(of name: String) -> String {
    folderPath == "/" ? "/" + name : folderPath + "/" + name
  }

  /// What is made beside the file until it is whole; no vault and no backup is called so.
  var temporaryName: String { name + Self.temporarySuffix }

  private static let temporarySuffix = ".unfinished"

  /// Opens and checks the folder; returns `nil` where there is none.
  init?(_ path: String, rules: FileRules) throws(VaultError) {
    try rules.checkProcess()
    let (givenPath, name) = try Self.split(path)
    guard let folder = try FileDescriptor.folder(givenPath) else { return nil }
    try rules.checkFolder(FileStatus.of(folder), at: givenPath)
    guard let resolved = unsafe realpath(givenPath, nil) else { throw VaultError.fromErrno(errno) }
    defer { unsafe free(resolved) }
    // Repaired text would name another folder than the one that was checked.
    guard let folderPath = unsafe String(validatingCString: resolved) else {
      throw VaultError(
        .invalidArgument,
        "the path of the folder is no valid UTF-8; rename the folder"
      )
    }
    self.folder = folder
    self.folderPath = folderPath
    self.name = name
    self.rules = rules
  }

  /// Makes the missing folders above a path, each with mode 0700; for a Unix group only the last one, with mode 2770.
  static func makeFolders(above path: String, rules: FileRules) throws(VaultError) {
    let folder = try split(path).folder
    if let group = rules.sharedWith {
      try SharedFolder.make(folder, group)
    } else {
      try PrivateFolder.make(folder)
    }
  }

  private static func split(_ path: String) throws(VaultError) -> (folder: String, name: String) {
    let bytes = Array(path.utf8)
    guard !bytes.contains(0) else { throw VaultError(.invalidArgument, "a path cannot hold a NUL") }
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let name = String(decoding: bytes[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw VaultError(.invalidArgument, "the path names a folder; name a file in it")
    }
    // Whoever makes a file of the name in front of it would overwrite this one.
    guard !name.utf8.reversed().starts(with: temporarySuffix.utf8.reversed()) else {
      throw VaultError(
        .invalidArgument,
        "a name that ends in .unfinished is for what is not whole yet; choose another"
      )
    }
    guard let slash else { return (".", name) }
    return (slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self), name)
  }

  /// Checks the vault file and what stands beside it, and returns what tells it from another file.
  ///
  /// - Throws: ``VaultError``: `vaultMissing`, or `insecureFile` with the command that repairs it.
  func check() throws(VaultError) -> FileIdentity {
    guard let status = try FileStatus.of(name, in: folder) else { throw VaultError(.vaultMissing) }
    try rules.checkFile(status, "vault", at: path(of: name))
    // SQLite would play back a rollback journal, although a vault never makes one.
    for suffix in ["-wal", "-shm", "-journal", ".lock"] {
      if let status = try FileStatus.of(name + suffix, in: folder) {
        let path = path(of: name + suffix)
        try rules.checkFile(status, "file \(suffix) beside the vault", at: path)
      }
    }
    return status.identity
  }

  /// What tells the vault file, or one beside it, from another; `nil` where there is none.
  func identity(of suffix: String = "") throws(VaultError) -> FileIdentity? {
    try FileStatus.of(name + suffix, in: folder)?.identity
  }

  /// Opens a file beside the vault, making it where there is none.
  func openOrMake(_ name: String) throws(VaultError) -> FileDescriptor {
    while true {
      if let file = try FileDescriptor.file(name, in: folder, flags: O_RDWR) { return file }
      // Of two who make it at once, one finds the other's.
      do { return try make(name) } catch  where error.code == .vaultExists { continue }
    }
  }

  /// Makes a file of the vault, of the mode that all of them have.
  ///
  /// - Throws: ``VaultError``: `vaultExists` where the name is taken.
  func make(_ name: String) throws(VaultError) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT | O_EXCL
    let mode = rules.fileMode
    guard let file = try FileDescriptor.file(name, in: folder, flags: flags, mode: mode)
    else { throw VaultError(.inputOutput) }
    // The umask may have kept the group out.
    if rules.sharedWith != nil, fchmod(file.number, mode) != 0 { throw VaultError.fromErrno(errno) }
    return file
  }

  /// How the vault can be reached.
  ///
  /// Where it can be written others may write it, so who only reads has to follow them. Elsewhere nobody changes the
  /// file, unless there is a log that was not written back.
  func access(isReadOnly: Bool) throws(VaultError) -> DatabaseAccess {
    if isWritable { return isReadOnly ? .readOnly : .readWrite }
    return try hasPendingLog() ? .readOnly : .immutable
  }

  /// Whether there is a write-ahead log with anything in it.
  func hasPendingLog() throws(VaultError) -> Bool {
    (try FileStatus.of(name + "-wal", in: folder)?.byteCount ?? 0) > 0
  }

  /// Throws what the system says of reading the vault file and its log, if it forbids that.
  func checkIsReadable() throws(VaultError) {
    for name in [name, name + "-wal", name + "-shm"]
    where unsafe faccessat(folder.number, name, R_OK, AT_EACCESS) != 0 && errno != ENOENT {
      throw VaultError.fromErrno(errno)
    }
  }

  /// Whether neither the file system nor the modes forbid writing beside and into the vault.
  private var isWritable: Bool {
    unsafe faccessat(folder.number, ".", W_OK, AT_EACCESS) == 0
      && faccessat(folder.number, name, W_OK, AT_EACCESS) == 0
  }
}
