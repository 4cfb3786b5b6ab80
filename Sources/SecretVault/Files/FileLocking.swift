import CLinux
import Glibc

/// Locks of an open file, which the kernel releases when their holder dies.
extension FileDescriptor {
  /// Takes an exclusive `flock`, waiting no longer than until `deadline`.
  ///
  /// - Throws: ``VaultError``: `busy` at the deadline.
  func lock(until deadline: ContinuousClock.Instant) throws(VaultError) {
    let pause = LockPause()
    while try !lockIfFree() {
      guard ContinuousClock.now < deadline else { throw VaultError(.busy) }
      pause.wait()
    }
  }

  /// Takes an exclusive `flock` if nobody holds one.
  func lockIfFree() throws(VaultError) -> Bool {
    // One who only looks has it for an instant, which is over at the next try.
    for _ in 0..<3 {
      if flock(number, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { throw VaultError.fromErrno(errno) }
    }
    return false
  }

  /// Whether somebody holds an exclusive `flock`; to see that, it takes a shared one for an instant.
  var isLocked: Bool {
    guard flock(number, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
    flock(number, LOCK_UN)
    return false
  }

  /// Lets the `flock` go.
  func unlock() {
    flock(number, LOCK_UN)
  }

  /// Whether nobody else stands in any of those places in the line.
  func areFree(places: Range<Int32>) -> Bool {
    secretvault_are_bytes_free(number, places.lowerBound, Int32(places.count)) != 0
  }

  /// Takes a place in the line of those who wait for the file, if nobody has it; where there are no such places,
  /// everybody has each.
  ///
  /// It is a lock of one byte, which bars no `flock`; place 0 is the first.
  func takePlace(_ number: Int32) -> Bool {
    secretvault_lock_byte(self.number, number) == 0 || (errno != EAGAIN && errno != EACCES)
  }

  /// Gives a place in the line to another.
  func leavePlace(_ number: Int32) {
    secretvault_unlock_byte(self.number, number)
  }
}

/// The time between two looks at a lock: short at first, and ever longer for one that is held for long.
///
/// It is uneven, so that waiters do not march in step.
struct LockPause {
  private static let shortest = 50
  private let start = ContinuousClock.now
  private let part: Int
  private let longest: Int

  /// It is one part in `part` of the time waited so far, and at most `longest` microseconds.
  init(part: Int = 20, longest: Int = 200) {
    self.part = part
    self.longest = longest
  }

  /// The pause of one whose turn comes next: short for as long as a turn lasts.
  static var inFront: LockPause { LockPause(part: 400, longest: 500) }

  /// The pause of one whose turn does not come next.
  static var behindOthers: LockPause { LockPause(part: 5, longest: 2000) }

  /// Waits before a second look at a lock that was free, for as short as the system's timers can.
  ///
  /// Between two commits it is free for some microseconds, and no call of the system waits for one that stays free.
  static func waitBriefly() { usleep(1) }

  /// No call of the system waits for these locks up to a deadline, so whoever waits looks again.
  func wait() {
    let waited = ContinuousClock.now - start
    let pause = min(max(Self.shortest, Int(waited / .microseconds(part))), longest)
    usleep(UInt32(pause + Int.random(in: 0..<pause / 2)))
  }
}
