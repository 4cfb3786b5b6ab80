import Dispatch
import Glibc
public import SecretVault

/// A lock state that follows the agent of this user, so that a program and the shell lock together.
///
/// A store that is opened with it wipes its keys before `secretvault lock` returns. Where no agent runs, or it dies,
/// the state is `locked`, and `beforeFirstUnlock` where the agent holds no key of the vault; when the agent is back
/// its state counts again. The agent gives no credential: the program unlocks its own store with its own, or reads
/// through ``AgentStore`` instead.
public final class AgentLockState: LockStateProvider {
  private let manual: ManualLockState
  /// Its closing, with this object, ends the thread that follows.
  private let stop: Descriptor

  /// Follows a vault from now on; the state is the agent's when this returns.
  ///
  /// - Throws: `VaultError`: `vaultMissing` where the folder of the vault is not there, `insecureFile` where the
  ///   agent's socket or its folder may be another user's, `inputOutput` where the folder cannot be watched.
  public init(vaultAt path: String) throws(VaultError) {
    let manual = ManualLockState(.locked)
    let (isStopped, stop) = try Descriptor.pipe()
    let follower = try AgentFollower(
      path: VaultPath(resolving: path),
      state: manual,
      isStopped: isStopped
    )
    self.manual = manual
    self.stop = stop
    let connection = follower.connect()
    DispatchQueue(label: "secretvault.agent-lock").async { follower.follow(connection) }
  }

  /// The present state.
  public var state: LockState { manual.state }

  /// Registers an observer.
  public func observe(_ observation: LockObservation) {
    manual.observe(observation)
  }
}

/// What follows the agent in a thread of its own.
private struct AgentFollower: Sendable {
  /// A socket has its name a moment before somebody listens on it, so who saw the name tries several times.
  private static let retryPauses: [Duration] = [
    .zero, .milliseconds(10), .milliseconds(50), .milliseconds(250), .seconds(1),
  ]

  let path: VaultPath
  let state: ManualLockState
  /// Hung up when nobody needs the state any more.
  let isStopped: Descriptor
  /// Readable when something changed in the folder of the agent's socket.
  private let folderEvents: Descriptor

  init(path: VaultPath, state: ManualLockState, isStopped: Descriptor) throws(VaultError) {
    self.path = path
    self.state = state
    self.isStopped = isStopped
    // The folder is watched before the first attempt to connect, so that no agent is missed.
    folderEvents = try Descriptor.watch(folder: RuntimeFolder.make().path)
  }

  /// Starts to observe and takes over the present state; `nil` where no agent answers.
  func connect() -> AgentConnection? {
    guard let connection = try? AgentConnection.open(),
      (try? connection.send(.observe(path))) != nil,
      takeState(from: connection)
    else { return nil }
    return connection
  }

  /// Follows one agent after another until nobody needs the state any more.
  func follow(_ first: AgentConnection?) {
    var connection = first
    while true {
      if let current = connection {
        let change = Descriptor.waitForAny(of: [isStopped, current.socket])
        if change == 0 { return }
        if takeState(from: current) { continue }
        state.set(.locked)
        // An agent that lives on drops an observer that was too slow for it.
        connection = connectSoon()
      } else {
        guard Descriptor.waitForAny(of: [isStopped, folderEvents]) != 0 else { return }
        folderEvents.discardInput()
        connection = connectSoon()
      }
    }
  }

  private func connectSoon() -> AgentConnection? {
    for pause in Self.retryPauses {
      if isStopped.wait(for: POLLIN, until: .now + pause) { return nil }
      if let connection = connect() { return connection }
    }
    return nil
  }

  /// Reads a state, lets the observers act on it, and then acknowledges it; false where the agent is gone.
  private func takeState(from connection: AgentConnection) -> Bool {
    guard case .state(let new, let number)? = try? connection.receive(patience: .seconds(5))
    else { return false }
    if new != state.state { state.set(new) }
    return (try? connection.send(.acknowledge(number))) != nil
  }
}
