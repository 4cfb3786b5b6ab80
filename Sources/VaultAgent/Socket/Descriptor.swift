import Glibc

/// An open file, socket or other thing that the system numbers, closed when its last owner lets it go.
package final class Descriptor: Sendable {
  /// The system's number of it.
  package let number: Int32

  /// Takes a number that a system call gave and nobody else owns.
  package init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Waits until one of `events` (`poll(2)`) or a hang-up happens; false at the deadline.
  ///
  /// Without a deadline it waits for as long as it takes.
  package func wait(for events: Int32, until deadline: ContinuousClock.Instant?) -> Bool {
    var entry = pollfd(fd: number, events: Int16(truncatingIfNeeded: events), revents: 0)
    while true {
      let result = unsafe poll(&entry, 1, Self.milliseconds(until: deadline))
      if result > 0 { return true }
      if result == 0, let deadline, ContinuousClock.now >= deadline { return false }
      if result < 0, errno != EINTR { return true }
    }
  }

  /// How long `poll` is to wait: rounded up, cut to hours, and -1 for no limit.
  package static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = min(max(ContinuousClock.now.duration(to: deadline), .zero), .seconds(3600))
    let (seconds, attoseconds) = left.components
    return Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000)
      + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
  }
}
