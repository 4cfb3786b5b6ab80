import Dispatch
import Synchronization

/// A lock state that locks when the vault has not been used for some time.
///
/// Every operation of an observing store counts as use. After the lock, `unlock()` permits the stores to
/// be unlocked again.
public final class IdleLockState: LockStateProvider {
  private let manual: ManualLockState
  private let limit: Duration
  private let lastActivity: Mutex<ContinuousClock.Instant>
  /// Counts the times it was unlocked; each ends the watch over the time before.
  private let unlockCount = Atomic<UInt64>(0)
  private let queue = DispatchQueue(label: "secretvault.idle-lock")

  /// Starts unlocked and locks after `limit` without use.
  public init(after limit: Duration) {
    manual = ManualLockState(.unlocked)
    self.limit = limit
    lastActivity = Mutex(.now)
    checkAgain(after: limit, unlockCount: 0)
  }

  /// The present state.
  public var state: LockState { manual.state }

  /// Locks at once.
  public func lock() {
    manual.lock()
  }

  /// Permits the stores to be unlocked and starts counting anew.
  public func unlock() {
    noteActivity()
    let count = unlockCount.wrappingAdd(1, ordering: .relaxed).newValue
    manual.unlock()
    checkAgain(after: limit, unlockCount: count)
  }

  /// Registers an observer.
  public func observe(_ observation: LockObservation) {
    manual.observe(observation)
  }

  /// Starts counting anew.
  public func noteActivity() {
    lastActivity.withLock { $0 = .now }
  }

  private func checkAgain(after delay: Duration, unlockCount: UInt64) {
    // A longer wait is cut into days, so that no limit is too long for the clock.
    let components = min(max(delay, .zero), .seconds(86_400)).components
    let milliseconds =
      Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) + 1
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
      self?.lockIfIdle(unlockCount: unlockCount)
    }
  }

  private func lockIfIdle(unlockCount count: UInt64) {
    guard manual.state == .unlocked, unlockCount.load(ordering: .relaxed) == count else { return }
    let idle = lastActivity.withLock { $0.duration(to: .now) }
    if idle >= limit {
      manual.lock()
    } else {
      checkAgain(after: limit - idle, unlockCount: count)
    }
  }
}
