import Glibc

/// Waits until a condition holds, looking again every millisecond, and returns whether it came to hold.
func eventually(
  within limit: Duration = .seconds(30),
  _ condition: () throws -> Bool
) rethrows
  -> Bool
{
  let deadline = ContinuousClock.now + limit
  while try !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(1_000)
  }
  return true
}
