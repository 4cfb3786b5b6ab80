import Glibc

/// How long operations took.
struct Times {
  private(set) var microseconds: [Double] = []

  init(capacity: Int) { microseconds.reserveCapacity(capacity) }

  /// Runs and times one operation.
  @inline(__always)
  mutating func measure<Result>(
    _ operation: () throws(BenchmarkError) -> Result
  ) throws(BenchmarkError) -> Result {
    let start = Clock.microseconds
    let result = try operation()
    microseconds.append(Clock.microseconds - start)
    return result
  }
}

/// The monotonic clock.
enum Clock {
  /// The time since some moment in the past, in microseconds.
  static var microseconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
