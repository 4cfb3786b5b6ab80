import CLinux
import Glibc

/// Holds back the signals that would end the process, as long as the terminal must be restored, or a file removed,
/// first.
///
/// A signal that came meanwhile acts when the watch ends: the process then dies of it as it would have.
/// An interrupt is taken instead, because the question reports it as cancelled.
struct SignalWatch: Sendable {
  /// What ends a process and can be caught, but for the signals of faults.
  private static let signals = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXFSZ, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
    SIGPIPE,
  ]

  private let descriptor: Int32
  /// Tells that the process goes on after a stop.
  private let continuation: Int32

  /// Runs `body` with the signals held back.
  static func hold<R>(_ body: (SignalWatch) throws -> R) throws -> R {
    var held = sigset_t()
    var previous = sigset_t()
    unsafe sigemptyset(&held)
    for signal in signals { unsafe sigaddset(&held, signal) }
    var resuming = sigset_t()
    unsafe sigemptyset(&resuming)
    unsafe sigaddset(&resuming, SIGCONT)
    unsafe pthread_sigmask(SIG_BLOCK, &held, &previous)
    unsafe pthread_sigmask(SIG_BLOCK, &resuming, nil)
    defer {
      takeInterrupt()
      unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
    }
    let descriptor = unsafe signalfd(-1, &held, Int32(SFD_CLOEXEC))
    if descriptor < 0 { throw Failure.system(errno, "cannot watch for signals") }
    defer { close(descriptor) }
    let continuation = unsafe signalfd(-1, &resuming, Int32(SFD_CLOEXEC))
    if continuation < 0 { throw Failure.system(errno, "cannot watch for signals") }
    defer { close(continuation) }
    return try body(SignalWatch(descriptor: descriptor, continuation: continuation))
  }

  /// Waits until there is something to read; false when a signal came first.
  ///
  /// `resume` runs whenever the process goes on after a stop.
  func waitForInput(
    _ input: Descriptor,
    resume: () throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var entries = [descriptor, input.number, continuation].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while true {
      if unsafe poll(&entries, nfds_t(entries.count), -1) < 0 {
        if errno != EINTR { return false }
      } else if entries[2].revents != 0 {
        var told = signalfd_siginfo()
        _ = unsafe read(continuation, &told, MemoryLayout<signalfd_siginfo>.size)
        try resume()
      } else {
        return entries[0].revents == 0
      }
    }
  }

  /// Ends a long piece of work after a signal.
  ///
  /// - Throws: ``Failure/cancelled`` where one has come.
  func checkNoSignal() throws(Failure) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if unsafe poll(&entry, 1, 0) > 0 { throw .cancelled }
  }

  private static func takeInterrupt() {
    var pending = sigset_t()
    unsafe sigpending(&pending)
    guard unsafe sigismember(&pending, SIGINT) == 1 else { return }
    var interrupt = sigset_t()
    var taken: Int32 = 0
    unsafe sigemptyset(&interrupt)
    unsafe sigaddset(&interrupt, SIGINT)
    unsafe sigwait(&interrupt, &taken)
  }
}
