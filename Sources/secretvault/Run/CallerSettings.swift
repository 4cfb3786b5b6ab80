import CLinux
import Glibc

/// What the process was given by its caller and may change for itself: how files are made, the limit on
/// core files, and which signals are ignored or held back.
///
/// A program that takes the place of the tool gets it back.
struct CallerSettings {
  private let creationMask: mode_t
  private let coreLimit: rlimit
  private let ignoredSignals: Set<Int32>
  private let signalMask: sigset_t

  private static let atStart = CallerSettings()
  /// The signals that the tool, or the runtime below it, may treat in its own way.
  private static let signals = [
    SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGPIPE, SIGCHLD,
  ]
  private static let coreResource = __rlimit_resource_t(RLIMIT_CORE.rawValue)

  /// Takes note of the settings; to be called before anything changes them.
  static func note() { _ = atStart }

  /// Puts everything back as it was noted.
  ///
  /// Handlers need no care: `execve(2)` gives a signal that is caught its default action.
  static func restore() {
    for signal in signals {
      Glibc.signal(signal, atStart.ignoredSignals.contains(signal) ? SIG_IGN : SIG_DFL)
    }
    umask(atStart.creationMask)
    var limit = atStart.coreLimit
    unsafe setrlimit(coreResource, &limit)
    var mask = atStart.signalMask
    unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  private init() {
    // umask(2) tells the old value only by setting a new one; no other thread runs yet.
    creationMask = umask(0o077)
    umask(creationMask)
    var limit = rlimit()
    unsafe getrlimit(Self.coreResource, &limit)
    coreLimit = limit
    ignoredSignals = Set(Self.signals.filter { secretvault_ignores($0) != 0 })
    var mask = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, nil, &mask)
    signalMask = mask
  }
}
