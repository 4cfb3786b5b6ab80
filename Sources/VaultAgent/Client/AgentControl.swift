import SecretMemory
public import SecretVault
import Synchronization

/// What a program that manages the agent of this user says to it: unlock, lock, and how things stand.
public final class AgentControl: Sendable {
  private let connection: Mutex<AgentConnection>
  private let process = ForkCount.current

  private init(_ connection: AgentConnection) {
    self.connection = Mutex(connection)
  }

  /// Connects to the agent of this user, or returns `nil` where none runs.
  ///
  /// - Throws: `VaultError`: `insecureFile` where the agent's socket may be another user's, `busy`.
  public static func connect() throws(VaultError) -> AgentControl? {
    try AgentConnection.open().map { AgentControl($0) }
  }

  /// How a vault is locked in the agent; asking moves no timer and opens nothing.
  ///
  /// - Throws: `VaultError`: `vaultMissing` where the folder of the vault is not there, `inputOutput`.
  public func status(ofVaultAt path: String) throws(VaultError) -> AgentStatus {
    let path = try VaultPath(resolving: path)
    guard case .status(let vaults) = try exchange(.status(path))
    else { throw AgentConnection.incomprehensible }
    return AgentStatus(vaults.first { $0.path == path })
  }

  /// Locks a vault, or without one all that the agent holds.
  ///
  /// When it returns, the keys of the locked classes are gone from the agent, and from every program that follows
  /// it by ``AgentLockState`` and answered within a second.
  ///
  /// - Throws: `VaultError`: `vaultMissing` where the folder of the vault is not there, `inputOutput`.
  public func lock(vaultAt path: String?) throws(VaultError) {
    let path = try path.map { path throws(VaultError) in try VaultPath(resolving: path) }
    guard case .done = try exchange(.lock(path)) else { throw AgentConnection.incomprehensible }
  }

  /// Waits until it is this connection's turn to ask a person for what opens a vault; false where the vault is
  /// unlocked already, or another program unlocked it meanwhile.
  ///
  /// The turn lasts until this object goes, so of many programs that wait one asks.
  ///
  /// - Throws: `VaultError`: `vaultMissing` where the folder of the vault is not there, `inputOutput`.
  public func waitForTurn(toUnlockVaultAt path: String) throws(VaultError) -> Bool {
    let path = try VaultPath(resolving: path)
    guard case .prompt(let turn) = try exchange(.prompt(path), patience: nil)
    else { throw AgentConnection.incomprehensible }
    return turn == .ask
  }

  /// Lets the agent open a vault, with limits of its own where they are given.
  ///
  /// - Throws: `VaultError`: `credentialRejected`, `busy` where too many attempts wait, and what opening a store
  ///   throws.
  public func unlock(
    vaultAt path: String,
    with credential: Credential,
    options: SecretStore.Options = SecretStore.Options(),
    limits: AgentLimits = AgentLimits()
  ) throws(VaultError) {
    var request = UnlockRequest(
      path: try VaultPath(resolving: path),
      credential: try SentCredential(credential)
    )
    try request.take(options)
    request.idleSeconds = limits.idleSeconds
    request.lifetimeSeconds = limits.lifetimeSeconds
    // The agent may make an attempt wait after failed ones, and scrypt takes its time.
    guard case .done = try exchange(.unlock(request), patience: nil)
    else { throw AgentConnection.incomprehensible }
  }

  private func exchange(
    _ request: Request,
    patience: Duration? = AgentConnection.patience
  ) throws(VaultError) -> Reply {
    guard ForkCount.current == process else {
      throw VaultError(.locked, "a connection does not survive fork; connect again in the child")
    }
    return try connection.withLock { connection throws(VaultError) in
      do throws(ExchangeFailure) {
        return try connection.exchange(request, patience: patience)
      } catch {
        throw VaultError(error)
      }
    }
  }
}

/// For how long the agent keeps a vault open.
public struct AgentLimits: Sendable {
  /// After how many seconds without use the vault locks; 0 for never, `nil` for what the agent was started with.
  public var idleSeconds: UInt32?
  /// How many seconds after the unlock all keys go; 0 for never, `nil` for what the agent was started with.
  public var lifetimeSeconds: UInt32?

  /// Sets limits; what is left out is as the agent was started.
  public init(idleSeconds: UInt32? = nil, lifetimeSeconds: UInt32? = nil) {
    self.idleSeconds = idleSeconds
    self.lifetimeSeconds = lifetimeSeconds
  }
}

/// How a vault is locked in the agent.
public struct AgentStatus: Sendable {
  /// The lock state; `beforeFirstUnlock` where the agent holds no key of the vault.
  public let state: LockState
  /// In how many seconds the vault locks when nobody uses it; `nil` for never, and where it is locked.
  public let secondsUntilIdleLock: UInt32?
  /// In how many seconds all keys go; `nil` for never.
  public let secondsUntilEnd: UInt32?

  init(_ status: VaultStatus?) {
    state = status?.state ?? .beforeFirstUnlock
    secondsUntilIdleLock = status?.secondsUntilIdleLock
    secondsUntilEnd = status?.secondsUntilEnd
  }
}
