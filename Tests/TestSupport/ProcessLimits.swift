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

/// Waits for a child and returns its exit code; `nil` where a signal ended it, which one gets that is not over after half a
/// minute: a thread that forked may have held back any other signal.
package func exitCode(of child: pid_t) -> Int32? {
  var status: Int32 = 0
  var ended: pid_t = 0
  let isOver = eventually {
    unsafe ended = waitpid(child, &status, WNOHANG)
    return ended != 0
  }
  if !isOver {
    kill(child, SIGKILL)
    unsafe ended = waitpid(child, &status, 0)
  }
  return ended == child && status & 0x7f == 0 ? status >> 8 & 0xff : nil
}
