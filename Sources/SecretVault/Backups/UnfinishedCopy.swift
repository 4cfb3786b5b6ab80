import CLinux
import Glibc
import VaultDatabase

/// A copy of a vault in the making: a file of mode 0600 under a temporary name, beside the place where it is needed.
///
/// Its maker holds an exclusive `flock` on it. What a killed maker left is locked no more, so the next one takes it
/// over. The file goes with this value, unless it got its name.
struct UnfinishedCopy: ~Copyable {
  private let location: VaultLocation
  private let file: FileDescriptor
  private var isNamed = false

  private static let companions = ["-wal", "-shm", "-journal"]

  private init(location: VaultLocation, file: FileDescriptor) {
    self.location = location
    self.file = file
  }

  deinit {
    removeFiles(isNamed ? Self.companions : Self.companions + [""])
  }

  /// Makes the file, empty, in the folder of a location.
  ///
  /// - Throws: ``VaultError``: `busy` where another process makes such a copy, `insecureFile` where the name is taken
  ///   by what is no private file, and what the system says.
  static func make(beside location: VaultLocation) throws(VaultError) -> UnfinishedCopy {
    let name = location.temporaryName
    let flags = O_RDWR | O_CREAT
    guard
      let file = try FileDescriptor.file(name, in: location.folder, flags: flags, mode: 0o600)
    else { throw VaultError(.inputOutput) }
    let status = try FileStatus.of(file)
    try FileRules(allowsForeignOwner: location.rules.allowsForeignOwner)
      .checkFile(status, "unfinished copy", at: location.path(of: name))
    try file.lock(until: .now)
    // The former maker may have named or removed it while the lock was waited for.
    guard try FileStatus.of(name, in: location.folder)?.identity == status.identity else {
      throw VaultError(.busy)
    }
    guard ftruncate(file.number, 0) == 0 else { throw VaultError.fromErrno(errno) }
    let copy = UnfinishedCopy(location: location, file: file)
    // SQLite would play a log or a journal of the former maker back into the new contents.
    copy.removeFiles(companions)
    return copy
  }

  /// Fills the empty file with one snapshot of a vault file, durably.
  borrowing func fill(from connection: any DatabaseConnection) throws(VaultError) {
    do { try connection.backup(to: path) } catch { throw VaultError(translating: error) }
  }

  /// Opens the copy.
  borrowing func makeSession(_ access: DatabaseAccess) throws(VaultError) -> Session {
    do {
      let connection = try SQLiteDatabase(path: path, busyTimeout: 0).connect(access)
      return try Session(connection, cache: PageCache())
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Gives the file the name of its location, durably; no connection may be open.
  ///
  /// - Throws: ``VaultError`` with the code `vaultExists` where the name is taken, or the log of an earlier file is beside it.
  mutating func rename() throws(VaultError) {
    try Self.requireNoLog(beside: location)
    let folder = location.folder.number
    let result = unsafe secretvault_rename_without_replacing(folder, name, folder, location.name)
    guard result == 0 else { throw VaultError.fromErrno(errno) }
    isNamed = true
    try location.folder.synchronize()
  }

  /// Throws where SQLite would read the log or the journal of an earlier file into one that gets its name; a vault that is
  /// being made there may have it, so it is not removed.
  static func requireNoLog(beside location: VaultLocation) throws(VaultError) {
    for suffix in ["-wal", "-journal"] {
      let status = try FileStatus.of(location.name + suffix, in: location.folder)
      guard let status, status.byteCount > 0 else { continue }
      throw VaultError(
        .vaultExists,
        "what an earlier file of that name left is beside it (\(suffix)); remove it, or choose another path"
      )
    }
  }

  private var name: String { location.temporaryName }

  private var path: String { location.path(of: name) }

  private borrowing func removeFiles(_ suffixes: [String]) {
    for suffix in suffixes { unsafe unlinkat(location.folder.number, name + suffix, 0) }
  }
}
