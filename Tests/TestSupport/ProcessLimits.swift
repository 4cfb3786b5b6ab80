package import Glibc

/// Lowers the limit on locked memory; in a child process only, since it cannot be raised again.
///
/// The kernel exempts root from the limit, so a process of root becomes `nobody` first.
package func limitLockedMemory(to byteCount: UInt) {
  var limit = rlimit(rlim_cur: byteCount, rlim_max: byteCount)
  let isLimited = unsafe setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0
  guard isLimited, geteuid() != 0 || setuid(65534) == 0 else {
    preconditionFailure("the limit on locked memory could not be set")
  }
}

/// Waits for a child process and returns its exit code, or `nil` if it ended otherwise.
package func exitCode(of child: pid_t) -> Int32? {
  var status: Int32 = 0
  while unsafe waitpid(child, &status, 0) < 0 {
    guard errno == EINTR else { return nil }
  }
  return status & 0x7f == 0 ? status >> 8 & 0xff : nil
}
