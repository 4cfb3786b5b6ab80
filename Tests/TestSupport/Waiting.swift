import Glibc

/// Waits until a condition holds, looking again every millisecond, and returns whether it came to hold.
package func eventually(
  within limit: Duration = .seconds(30),
  _ condition: () throws -> Bool
) rethrows -> Bool {
  let deadline = ContinuousClock.now + limit
  while try !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(1_000)
  }
  return true
}

/// Waits until a condition holds.
///
/// - Throws: ``DeadlineExceeded`` after half a minute, and what the condition throws.
package func waitUntil(_ condition: () throws -> Bool) throws {
  guard try eventually(condition) else { throw DeadlineExceeded() }
}
