import SecretMemory
public import SecretVault
import Synchronization

/// The items of a vault that the agent of this user holds open.
///
/// A program reads and writes items through it without ever having the credential or a key. Every call is safe from any
/// thread and has an `async` overload; where the vault is locked in the agent, or the agent is gone, it throws
/// `locked`. A child made by `fork` asks over connections of its own, a new one each time.
public final class AgentStore: Sendable {
  let path: VaultPath
  /// A connection that nobody uses now; the agent closes it after some seconds.
  private let idleConnection: Mutex<AgentConnection?>
  private let process = ForkCount.current

  private init(_ path: VaultPath, _ connection: AgentConnection) {
    self.path = path
    idleConnection = Mutex(connection)
  }

  /// Connects to the agent of this user, or returns `nil` where none runs.
  ///
  /// - Throws: `VaultError`: `vaultMissing` where the folder of the vault is not there, `insecureFile` where the
  ///   agent's socket may be another user's, `busy`.
  public static func connect(toVaultAt path: String) throws(VaultError) -> AgentStore? {
    guard let connection = try AgentConnection.open() else { return nil }
    return AgentStore(try VaultPath(resolving: path), connection)
  }

  /// Asks the agent, over a new connection where the idle one has ended.
  ///
  /// A write that may have happened is never sent twice.
  func exchange(_ request: Request) throws(VaultError) -> Reply {
    if let connection = takeIdleConnection() {
      do throws(ExchangeFailure) {
        return try exchange(request, over: connection)
      } catch {
        switch error {
        case .notSent: break
        case .unanswered where request.operation.onlyReads: break
        default: throw VaultError(error)
        }
      }
    }
    guard let connection = try AgentConnection.open() else { throw .agentGone }
    do throws(ExchangeFailure) {
      return try exchange(request, over: connection)
    } catch {
      throw VaultError(error)
    }
  }

  private func exchange(
    _ request: Request,
    over connection: AgentConnection
  ) throws(ExchangeFailure) -> Reply {
    let reply: Reply
    do throws(ExchangeFailure) {
      reply = try connection.exchange(request)
    } catch {
      if case .refused = error { keep(connection) }
      throw error
    }
    keep(connection)
    return reply
  }

  private func keep(_ connection: AgentConnection) {
    if !isForked { idleConnection.withLock { $0 = connection } }
  }

  /// Whether this is a child made by `fork`: over the idle connection it would take answers that its parent waits for.
  private var isForked: Bool { ForkCount.current != process }

  private func takeIdleConnection() -> AgentConnection? {
    if isForked { return nil }
    let connection = idleConnection.withLock { idle in
      defer { idle = nil }
      return idle
    }
    return connection.flatMap { $0.isEnded ? nil : $0 }
  }
}

extension Operation {
  /// Whether it can be asked for twice without harm.
  fileprivate var onlyReads: Bool {
    switch self {
    case .status, .secret, .item, .contents, .items, .history, .earlierSecret: true
    default: false
    }
  }
}

extension VaultError {
  init(_ failure: ExchangeFailure) {
    switch failure {
    case .notSent: self = .agentGone
    case .unanswered: self = .agentLost
    case .refused(let error), .broken(let error): self = error
    }
  }
}
