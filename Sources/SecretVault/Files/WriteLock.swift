import Glibc
import Synchronization

/// The lock that every writer of a vault holds: an exclusive `flock` on `NAME.lock` beside it.
///
/// The kernel releases it when its holder dies. The file is never removed, since a lock on a removed file
/// excludes nobody.
struct WriteLock: ~Copyable {
  private let file: FileDescriptor

  init(_ location: VaultLocation) throws(VaultError) {
    let file = try location.openOrMake(location.name + ".lock")
    try location.rules.checkFile(FileStatus.of(file), "lock file")
    self.file = file
  }

  /// Takes the lock, waiting no longer than until `deadline` and only while `mayWait` says so.
  ///
  /// - Throws: ``VaultError``: `busy` at the deadline, `locked` when waiting was forbidden.
  borrowing func acquire(
    until deadline: ContinuousClock.Instant,
    while mayWait: () -> Bool
  ) throws(VaultError) {
    try file.lock(until: deadline, while: mayWait)
  }

  borrowing func release() {
    file.unlock()
  }
}
