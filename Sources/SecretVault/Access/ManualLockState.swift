import Synchronization

/// A lock state that the program sets.
///
/// It starts unlocked, so that a store needs no more than `unlock(with:)`.
public final class ManualLockState: LockStateProvider {
  private struct Contents {
    var state: LockState
    var observers: [WeakObservation] = []
  }

  private let contents: Mutex<Contents>

  /// Starts in a state.
  public init(_ state: LockState = .unlocked) {
    contents = Mutex(Contents(state: state))
  }

  /// The present state.
  public var state: LockState { contents.withLock { $0.state } }

  /// Locks; when this returns, every observing store has wiped the keys of the locked classes.
  public func lock() {
    set(.locked)
  }

  /// Permits the stores to be unlocked; keys come only with a credential.
  public func unlock() {
    set(.unlocked)
  }

  /// Goes to a state and tells the observers.
  public func set(_ state: LockState) {
    let observers = contents.withLock { contents in
      contents.state = state
      contents.observers.removeAll { $0.observation == nil }
      return contents.observers.compactMap(\.observation)
    }
    for observer in observers { observer.notify(state) }
  }

  /// Registers an observer.
  public func observe(_ observation: LockObservation) {
    contents.withLock { $0.observers.append(WeakObservation(observation)) }
  }
}

/// Keeps no observer alive.
struct WeakObservation: Sendable {
  private(set) weak var observation: LockObservation?

  init(_ observation: LockObservation) {
    self.observation = observation
  }
}
