import SecretVault
import Synchronization

/// How long keys are held.
struct HoldingLimits: Sendable {
  /// How long a vault may go unused before it is locked; `nil` for ever.
  var idle: Duration?
  /// How long after an unlock all keys go; `nil` for never.
  var lifetime: Duration?

  /// Cuts what is longer than 136 years, so that no sum with it is too long for the clock.
  init(idle: Duration?, lifetime: Duration?) {
    let longest = Duration.seconds(Int64(UInt32.max))
    self.idle = idle.map { min($0, longest) }
    self.lifetime = lifetime.map { min($0, longest) }
  }

  /// The limits that an unlock asks for; what it leaves open is as it was, and 0 is none.
  func overridden(by request: UnlockRequest) -> HoldingLimits {
    var limits = self
    if let seconds = request.idleSeconds { limits.idle = Self.duration(seconds) }
    if let seconds = request.lifetimeSeconds { limits.lifetime = Self.duration(seconds) }
    return limits
  }

  private static func duration(_ seconds: UInt32) -> Duration? {
    seconds == 0 ? nil : .seconds(Int64(seconds))
  }
}

/// A vault that the agent has unlocked at least once, with the keys that are left of it.
///
/// Times are those of `ContinuousClock`, which on Linux goes on while the machine is suspended.
final class HeldVault: Sendable {
  /// What a store was opened with; another choice needs another store.
  struct Opening: Hashable {
    /// As bytes, for texts that Unicode takes for equal are different folders.
    let stateDirectory: [UInt8]?
    let allowsForeignOwner: Bool
    let slot: String?
    let kdfLimit: UInt8?
    let requiresAnchor: Bool
    let sharedWith: UInt32?

    init(_ request: UnlockRequest) {
      stateDirectory = request.stateDirectory.map { Array($0.utf8) }
      allowsForeignOwner = request.allowsForeignOwner
      slot = request.slot
      kdfLimit = request.kdfLimit
      requiresAnchor = request.requiresAnchor
      sharedWith = request.sharedWith
    }
  }

  private struct Times {
    var limits: HoldingLimits
    var unlocked = ContinuousClock.now
    var lastUse = ContinuousClock.now

    var idleEnd: ContinuousClock.Instant? { limits.idle.map { lastUse + $0 } }
    var end: ContinuousClock.Instant? { limits.lifetime.map { unlocked + $0 } }
  }

  let path: VaultPath
  let store: SecretStore
  let opening: Opening
  private let times: Mutex<Times>

  init(path: VaultPath, store: SecretStore, opening: Opening, limits: HoldingLimits) {
    self.path = path
    self.store = store
    self.opening = opening
    times = Mutex(Times(limits: limits))
  }

  /// Counts anew from now, under limits that may be others.
  func noteUnlock(_ limits: HoldingLimits) {
    times.withLock { $0 = Times(limits: limits) }
  }

  /// Counts the time without use anew.
  func noteUse() {
    times.withLock { $0.lastUse = .now }
  }

  /// When the vault locks if nobody uses it.
  var idleEnd: ContinuousClock.Instant? {
    store.lockState == .unlocked ? times.withLock { $0.idleEnd } : nil
  }

  /// When all keys go.
  var end: ContinuousClock.Instant? { times.withLock { $0.end } }

  /// What the agent tells of the vault.
  var status: VaultStatus {
    VaultStatus(
      path: path,
      state: store.lockState,
      secondsUntilIdleLock: Self.secondsLeft(until: idleEnd),
      secondsUntilEnd: Self.secondsLeft(until: end)
    )
  }

  private static func secondsLeft(until moment: ContinuousClock.Instant?) -> UInt32? {
    moment.map { UInt32(clamping: ContinuousClock.now.duration(to: $0).components.seconds) }
  }
}
