import Glibc

/// A moment, to the millisecond, as an item keeps it.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since the start of 1970 in UTC; moments before that count as zero.
  public let millisecondsSince1970: UInt64

  /// Makes a moment from milliseconds since the start of 1970 in UTC.
  public init(millisecondsSince1970: UInt64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// Whether the left moment comes first.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }

  /// The present moment by the system's clock.
  public static var now: Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    guard time.tv_sec >= 0 else { return Timestamp(millisecondsSince1970: 0) }
    let milliseconds = UInt64(time.tv_sec) * 1000 + UInt64(max(0, time.tv_nsec)) / 1_000_000
    return Timestamp(millisecondsSince1970: milliseconds)
  }
}
