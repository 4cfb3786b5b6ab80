import CLinux
import Glibc
import SecretVault

/// The main thread: signals, limits of time, the login session, and connections that wait.
final class EventLoop {
  private let signals: SignalSource
  private let service: AgentService
  private let monitor: SystemBusMonitor
  private let timer: Descriptor

  init(
    signals: SignalSource,
    service: AgentService,
    monitor: SystemBusMonitor
  ) throws(VaultError) {
    self.signals = signals
    self.service = service
    self.monitor = monitor
    // This clock goes on while the machine is suspended, so that a limit that passed then acts on waking.
    let number = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard number >= 0 else { throw VaultError(.inputOutput, "the system has no timers left") }
    timer = Descriptor(number)
  }

  /// Runs until a signal tells the agent to leave.
  func run() {
    while true {
      monitor.startIfDue()
      setTimer(service.vaults.expire())
      let parked = service.parked.all
      var entries = entries(parked)
      let patience = Descriptor.milliseconds(until: monitor.nextStart)
      guard unsafe poll(&entries, nfds_t(entries.count), patience) > 0 else { continue }
      service.parked.noteArrivals()
      if monitor.readAndDecide() { service.vaults.lock(nil) }
      while let request = signals.next() {
        switch request {
        case .lock: service.vaults.lock(nil)
        case .leave:
          monitor.stop()
          return
        }
      }
      service.parked.release(ready(parked, entries.dropFirst(Self.fixedCount)))
    }
  }

  private static let fixedCount = 4

  /// The fixed sources, and two for each parked connection: its socket and its process.
  private func entries(_ parked: [Conversation]) -> [pollfd] {
    let fixed = [signals.descriptor, timer, service.parked.arrival, monitor.output]
    let connections = parked.flatMap { [$0.channel.socket, $0.process] }
    return (fixed + connections).map { descriptor in
      // poll(2) leaves out what has a negative number.
      pollfd(fd: descriptor?.number ?? -1, events: Int16(POLLIN), revents: 0)
    }
  }

  /// The connections that have something to say, and those whose process has ended, which end as well.
  private func ready(_ parked: [Conversation], _ entries: ArraySlice<pollfd>) -> [Conversation] {
    let flags = entries.map { $0.revents != 0 }
    return parked.enumerated().compactMap { index, conversation in
      let hasEnded = flags[2 * index + 1]
      if hasEnded { shutdown(conversation.channel.socket.number, Int32(SHUT_RDWR)) }
      return flags[2 * index] || hasEnded ? conversation : nil
    }
  }

  private func setTimer(_ moment: ContinuousClock.Instant?) {
    var setting = itimerspec()
    if let moment {
      // One that has passed meanwhile acts at once; zero would stop the timer.
      let left = max(ContinuousClock.now.duration(to: moment), .milliseconds(1)).components
      setting.it_value.tv_sec = time_t(min(left.seconds, 1 << 31))
      setting.it_value.tv_nsec = Int(left.attoseconds / 1_000_000_000)
    }
    unsafe timerfd_settime(timer.number, 0, &setting, nil)
  }
}
