/// Whether the classes that need an unlocked vault can be used.
public enum LockState: Hashable, Sendable {
  /// Nothing was unlocked since the start; no class can be used.
  case beforeFirstUnlock
  /// Only the afterFirstUnlock classes can be used.
  case locked
  /// All classes can be used, once a credential has been given.
  case unlocked
}

/// Says when a vault is locked.
///
/// When the provider goes to `locked` or `beforeFirstUnlock`, it calls its observers before its own call
/// returns, and each store wipes its keys in that call: whoever locks a provider knows on return that the
/// keys are gone. Going to `unlocked` opens nothing by itself. A store needs a credential, from
/// ``credential()`` or by `unlock(with:)`; a provider that has none is a policy, and no key appears
/// through it.
public protocol LockStateProvider: Sendable {
  /// The present state.
  var state: LockState { get }

  /// Registers a handler that is called with each new state, in the thread that changes it.
  ///
  /// The provider drops the handler when `observation` has gone.
  func observe(_ observation: LockObservation)

  /// The credential that opens the vault when the state is `unlocked`, or `nil` to wait for
  /// `unlock(with:)`.
  func credential() throws -> Credential?

  /// Tells the provider that the vault is in use; providers that lock an idle vault count from here.
  func noteActivity()
}

extension LockStateProvider {
  /// No credential: the program calls `unlock(with:)`.
  public func credential() throws -> Credential? { nil }

  /// Nothing to note.
  public func noteActivity() {}
}

/// One observer of a lock state, which ends when its owner lets it go.
public final class LockObservation: Sendable {
  private let handler: @Sendable (LockState) -> Void

  /// Makes an observer.
  public init(_ handler: @escaping @Sendable (LockState) -> Void) {
    self.handler = handler
  }

  /// Calls the observer.
  public func notify(_ state: LockState) {
    handler(state)
  }
}
