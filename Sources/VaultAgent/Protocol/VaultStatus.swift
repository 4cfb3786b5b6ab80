package import SecretVault

/// How one vault is locked in the agent.
package struct VaultStatus: Sendable {
  /// The vault.
  package var path: VaultPath
  /// Its lock state.
  package var state: LockState
  /// In how many seconds it locks when nobody uses it; `nil` for never, and where it is locked.
  package var secondsUntilIdleLock: UInt32?
  /// In how many seconds all keys go; `nil` for never.
  package var secondsUntilEnd: UInt32?

  /// Describes a vault.
  package init(
    path: VaultPath,
    state: LockState,
    secondsUntilIdleLock: UInt32?,
    secondsUntilEnd: UInt32?
  ) {
    self.path = path
    self.state = state
    self.secondsUntilIdleLock = secondsUntilIdleLock
    self.secondsUntilEnd = secondsUntilEnd
  }
}

extension OutgoingMessage {
  mutating func append(_ status: VaultStatus) {
    append(status.path)
    append(status.state.byte)
    append(status.secondsUntilIdleLock) { $0.append($1) }
    append(status.secondsUntilEnd) { $0.append($1) }
  }
}

extension MessageReader {
  mutating func vaultStatuses() throws(MalformedMessage) -> [VaultStatus] {
    var statuses: [VaultStatus] = []
    for _ in 0..<(try integer(as: UInt32.self)) {
      statuses.append(
        VaultStatus(
          path: try vaultPath(),
          state: try lockState(),
          secondsUntilIdleLock: try optional { reader throws(MalformedMessage) in
            try reader.integer()
          },
          secondsUntilEnd: try optional { reader throws(MalformedMessage) in try reader.integer() }
        )
      )
    }
    return statuses
  }

  mutating func lockState() throws(MalformedMessage) -> LockState {
    guard let state = LockState(byte: try integer()) else { throw MalformedMessage() }
    return state
  }
}

extension LockState {
  var byte: UInt8 {
    switch self {
    case .beforeFirstUnlock: 0
    case .locked: 1
    case .unlocked: 2
    }
  }

  init?(byte: UInt8) {
    switch byte {
    case 0: self = .beforeFirstUnlock
    case 1: self = .locked
    case 2: self = .unlocked
    default: return nil
    }
  }
}
