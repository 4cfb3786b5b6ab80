import CLinux
import Glibc
import SecretVault

/// The signals that the agent acts upon, as something that can be waited for.
struct SignalSource {
  /// What a signal asks for.
  enum Request {
    case lock
    case leave
  }

  let descriptor: Descriptor

  /// Takes the signals for the whole process; threads that are started later inherit that.
  init() throws(VaultError) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGHUP, SIGUSR1, SIGTERM, SIGINT] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    signal(SIGPIPE, SIG_IGN)
    let number = unsafe signalfd(-1, &signals, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard number >= 0 else { throw VaultError(.inputOutput, "signals cannot be watched") }
    descriptor = Descriptor(number)
  }

  /// The next signal that came, or `nil` where there is none.
  func next() -> Request? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard unsafe read(descriptor.number, &information, size) == size else { return nil }
    switch Int32(clamping: information.ssi_signo) {
    case SIGTERM, SIGINT: return .leave
    default: return .lock
    }
  }
}
