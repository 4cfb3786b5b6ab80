import CLinux
import Glibc
public import SecretVault

/// The process that holds the keys of a user's vaults and serves the user's other processes.
///
/// It serves secrets, never keys, over a Unix socket that only processes of the same user can talk to. Its page on the
/// protocol says how.
public enum AgentServer {
  /// How the agent behaves.
  public struct Configuration: Sendable {
    /// After how long without use a vault is locked; `nil` for never.
    ///
    /// An unlock can ask for another limit.
    public var idle: Duration?
    /// How long after an unlock all keys of the vault go; `nil` for never.
    ///
    /// An unlock can ask for another limit.
    public var lifetime: Duration?
    /// Where one byte is written when the agent can be reached; the descriptor is closed then.
    public var readyDescriptor: Int32?

    /// The unit of the pauses after rejected credentials: one, two, four units and so on.
    package var pauseUnit = Duration.seconds(1)
    /// The least time between two starts of the helper that reads the system bus.
    package var monitorPause = Duration.seconds(60)

    /// Makes the standard configuration, or another one.
    public init(
      idle: Duration? = .seconds(15 * 60),
      lifetime: Duration? = .seconds(12 * 60 * 60),
      readyDescriptor: Int32? = nil
    ) {
      self.idle = idle
      self.lifetime = lifetime
      self.readyDescriptor = readyDescriptor
    }
  }

  /// What is written to the ready descriptor; no text starts with it.
  public static let readyByte: UInt8 = 1

  /// Serves until SIGTERM or SIGINT comes; then the keys are wiped.
  ///
  /// SIGHUP and SIGUSR1 lock all vaults. Call it from the main thread of a process that has done nothing else, after
  /// `ProcessHardening.apply()`: it changes the signal mask for good.
  ///
  /// - Throws: `VaultError`: `agentExists` where an agent of the user runs already, `insecureFile` where the folder
  ///   of the socket is not private, `inputOutput` where the socket cannot be made.
  public static func run(_ configuration: Configuration = Configuration()) throws(VaultError) {
    let signals = try SignalSource()
    // Each thread's own arena would keep what it once used; two are enough for everybody.
    _ = mallopt(M_ARENA_MAX, 2)
    let socket = try AgentSocket.open()
    defer { socket.remove() }
    let observers = Observers()
    let vaults = HeldVaults(
      limits: HoldingLimits(idle: configuration.idle, lifetime: configuration.lifetime),
      attempts: UnlockAttempts(pauseUnit: configuration.pauseUnit),
      observers: observers
    )
    let service = AgentService(
      vaults: vaults,
      observers: observers,
      parked: try ParkedConversations()
    )
    try Workers.start(serving: service, listener: socket.listener)
    let loop = try EventLoop(
      signals: signals,
      service: service,
      monitor: SystemBusMonitor(pause: configuration.monitorPause)
    )
    tellReady(configuration.readyDescriptor)
    loop.run()
    vaults.closeAll()
  }

  private static func tellReady(_ descriptor: Int32?) {
    guard let descriptor else { return }
    var byte = readyByte
    unsafe write(descriptor, &byte, 1)
    close(descriptor)
  }
}

extension VaultError.Code {
  /// An agent of this user runs already; it is never displaced.
  public static let agentExists = Self("agentExists", "an agent runs already; use it")
}
