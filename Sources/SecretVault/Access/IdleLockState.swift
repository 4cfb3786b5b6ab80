import Dispatch
import Synchronization

/// A lock state that locks when the vault has not been used for some time.
///
/// Every operation of an observing store counts as use. Time goes on while the machine is suspended; a use that comes
/// after the limit locks too. After the lock, `unlock()` permits the stores to be unlocked again.
public final class IdleLockState: LockStateProvider {
  private let manual: ManualLockState
  private let limit: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let lastActivity: Mutex<ContinuousClock.Instant>
  /// Counts the checks that were put off; only the newest is made, and only once.
  private let checkCount = Atomic<UInt64>(0)
  private let queue = DispatchQueue(label: "secretvault.idle-lock")

  /// Starts unlocked and locks after `limit` without use.
  public convenience init(after limit: Duration) {
    self.init(after: limit) { .now }
  }

  package init(after limit: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    manual = ManualLockState(.unlocked)
    self.limit = limit
    self.now = now
    lastActivity = Mutex(now())
    checkAgain(after: limit)
  }

  /// The present state.
  public var state: LockState { manual.state }

  /// Locks at once.
  public func lock() {
    manual.lock()
  }

  /// Permits the stores to be unlocked and starts counting anew.
  public func unlock() {
    lastActivity.withLock { $0 = now() }
    manual.unlock()
    checkAgain(after: limit)
  }

  /// Registers an observer.
  public func observe(_ observation: LockObservation) {
    manual.observe(observation)
  }

  /// Starts counting anew, or locks where the limit has passed already.
  public func noteActivity() {
    let wasIdle = lastActivity.withLock { last in
      let present = now()
      defer { last = present }
      return last.duration(to: present) >= limit
    }
    if wasIdle, manual.state == .unlocked { manual.lock() }
  }

  private func checkAgain(after delay: Duration) {
    // A longer wait is cut into days, so that no limit is too long for the clock.
    let components = min(max(delay, .zero), .seconds(86_400)).components
    let milliseconds =
      Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) + 1
    let number = checkCount.wrappingAdd(1, ordering: .relaxed).newValue
    let check: @Sendable () -> Void = { [weak self] in self?.lockIfIdle(number) }
    // The first clock stands still while the machine is suspended, and the second can be set back.
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: check)
    queue.asyncAfter(wallDeadline: .now() + .milliseconds(milliseconds), execute: check)
  }

  private func lockIfIdle(_ check: UInt64) {
    guard manual.state == .unlocked, checkCount.load(ordering: .relaxed) == check else { return }
    let idle = lastActivity.withLock { $0.duration(to: now()) }
    if idle >= limit {
      manual.lock()
    } else {
      checkAgain(after: limit - idle)
    }
  }
}
