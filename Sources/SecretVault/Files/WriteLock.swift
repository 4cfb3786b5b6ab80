/// The lock that every writer of a vault holds: an exclusive `flock` on `NAME.lock` beside it.
///
/// Who waits for it stands in line: each has a place, tries for the next one, and from the first place for the lock.
/// The kernel releases lock and place when their holder dies. The file is never removed, since a lock on a removed
/// file excludes nobody.
struct WriteLock: ~Copyable {
  /// How long a writer may go on without standing in line again; handing over after every commit would cost more than
  /// a quick disk's commit.
  ///
  /// The more there are who write by turns, the more each has to verify when its turn begins; so it lasts longer.
  private static func turn(before others: Int) -> Duration { .milliseconds(7 + others) }

  /// How long the line is respected, since one of those in front may have been stopped.
  private static let courtesy = Duration.milliseconds(250)

  private let file: FileDescriptor
  private var turnEnd = ContinuousClock.now

  init(_ location: VaultLocation) throws(VaultError) {
    let file = try location.openOrMake(location.name + ".lock")
    let path = location.path + ".lock"
    try location.rules.checkFile(FileStatus.of(file), "lock file", at: path)
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
    if try acquireIfFree() { return }
    let limit = min(deadline, start + Self.courtesy)
    var place = WaitingPlace(in: file)
    defer { place.leave() }
    var pause = LockPause.behindOthers
    var wasFree = false
    while true {
      if place.advance(), place.isFirst { pause = .inFront }
      let now = ContinuousClock.now
      // One whose turn it is leaves the lock for a moment between two commits.
      if wasFree || now >= limit, try file.lockIfFree() {
        turnEnd = now + Self.turn(before: place.countBehind)
        return
      }
      wasFree = place.isFirst && !file.isLocked
      guard mayWait() else { throw VaultError(.locked) }
      guard now < deadline else { throw VaultError(.busy) }
      if wasFree { LockPause.waitBriefly() } else { pause.wait() }
    }
  }

  /// Takes the lock unless somebody holds it or waits for it.
  mutating func acquireIfFree() throws(VaultError) -> Bool {
    guard WaitingPlace.isNoneTaken(in: file), try file.lockIfFree() else { return false }
    turnEnd = .now + Self.turn(before: 0)
    return true
  }

  borrowing func release() {
    file.unlock()
  }
}

/// A place in the line of those who wait for a file.
///
/// Newcomers begin at its end, so that whoever waits is passed by nobody; if there are more than the line has places,
/// chance decides who comes to its end.
private struct WaitingPlace {
  private static let count: Int32 = 8

  private let file: FileDescriptor
  private var number = count

  init(in file: FileDescriptor) {
    self.file = file
  }

  static func isNoneTaken(in file: FileDescriptor) -> Bool { file.areFree(places: 0..<count) }

  var isFirst: Bool { number == 0 }

  /// How many others wait farther behind.
  var countBehind: Int {
    (0..<Self.count).count { $0 > number && !file.areFree(places: $0..<$0 + 1) }
  }

  /// Goes as far to the front as nobody stands, and returns whether that was any further.
  mutating func advance() -> Bool {
    let before = number
    while number > 0, file.takePlace(number - 1) {
      leave()
      number -= 1
    }
    return number < before
  }

  func leave() {
    if number < Self.count { file.leavePlace(number) }
  }
}
