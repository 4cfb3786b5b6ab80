/// A lock state that never locks, for a service that holds a credential for as long as it runs.
public struct AlwaysUnlocked: LockStateProvider {
  private let load: @Sendable () throws -> Credential?

  /// Takes the credential from a function that is called when a store is opened.
  public init(credential: @escaping @Sendable () throws -> Credential?) {
    load = credential
  }

  /// Takes the credential from a key file that is read when a store is opened.
  public init(keyFile path: String) {
    load = { try Credential.keyFile(at: path) }
  }

  /// Always unlocked.
  public var state: LockState { .unlocked }

  /// Nothing ever changes, so nobody is called.
  public func observe(_ observation: LockObservation) {}

  /// The credential.
  public func credential() throws -> Credential? { try load() }
}
