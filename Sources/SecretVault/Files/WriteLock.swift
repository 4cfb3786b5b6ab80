/// The lock that every writer of a vault holds: an exclusive `flock` on `NAME.lock` beside it.
///
/// Who waits for it stands in line: one has the first place and tries for the lock often, the others try for that place.
/// The kernel releases lock and place when their holder dies. The file is never removed, since a lock on a removed
/// file excludes nobody.
struct WriteLock: ~Copyable {
  /// How long a writer may go on without standing in line again; handing over after every commit would cost more than
  /// a quick disk's commit.
  private static let turn = Duration.milliseconds(2)
  /// How long the first place is left to one who does nothing with it, since he may have been stopped.
  private static let courtesy = Duration.milliseconds(50)

  private let file: FileDescriptor
  private var turnEnd = ContinuousClock.now

  init(_ location: VaultLocation) throws(VaultError) {
    let file = try location.openOrMake(location.name + ".lock")
    try location.rules.checkFile(FileStatus.of(file), "lock file")
    self.file = file
  }

  /// Takes the lock, waiting no longer than until `deadline` and only while `mayWait` says so.
  ///
  /// - Throws: ``VaultError``: `busy` at the deadline, `locked` when waiting was forbidden.
  mutating func acquire(
    until deadline: ContinuousClock.Instant,
    while mayWait: () -> Bool
  ) throws(VaultError) {
    let start = ContinuousClock.now
    if start < turnEnd, try file.lockIfFree() { return }
    var isFirst = false
    defer { if isFirst { file.leaveFirstPlace() } }
    var pause = LockPause()
    while true {
      if !isFirst, file.takeFirstPlace() {
        isFirst = true
        pause = LockPause()
      }
      let now = ContinuousClock.now
      if isFirst || now >= start + Self.courtesy, try file.lockIfFree() {
        turnEnd = now + Self.turn
        return
      }
      guard mayWait() else { throw VaultError(.locked) }
      guard now < deadline else { throw VaultError(.busy) }
      pause.wait()
    }
  }

  borrowing func release() {
    file.unlock()
  }
}
