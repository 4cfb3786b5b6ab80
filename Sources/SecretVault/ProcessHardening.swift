import CLinux
import Glibc
import SecretMemory

/// What a process does to keep its secrets from crash reports, core files and its neighbours.
///
/// The library changes none of this by itself; a program decides.
public enum ProcessHardening {
  /// Files made from now on are closed to others, no core file is written, other processes of the user
  /// cannot read the memory, and a fatal signal ends the process without printing memory.
  ///
  /// Call it as the first statement of the program. Swift's crash handler prints memory around the
  /// processor's registers, which may hold a secret; the default action of the signals prints nothing.
  public static func apply() {
    for signal in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV] {
      Glibc.signal(signal, SIG_DFL)
    }
    umask(0o077)
    // The hard limit stays: a program that takes the place of this process can be given its own back.
    var core = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
    core.rlim_cur = 0
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
    _ = secretvault_set_dumpable(0)
  }

  /// Lets this process keep secrets in memory that could not be locked and may be swapped out.
  public static func allowUnlockedMemory() {
    LockingPolicy.allowUnlockedMemory()
  }
}
