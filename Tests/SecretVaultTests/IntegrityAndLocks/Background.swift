import CLinux
import Dispatch
import Glibc
import SecretVault
import Synchronization

/// A call on a thread of its own.
final class Background<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, any Error>?>(nil)
  private let end = DispatchSemaphore(value: 0)

  /// Starts the call.
  init(_ body: @escaping @Sendable () throws -> Value) {
    DispatchQueue(label: "background").async {
      let result = Result { try body() }
      self.outcome.withLock { $0 = result }
      self.end.signal()
    }
  }

  /// Waits for the end.
  func result() -> Result<Value, any Error> {
    while true {
      if let result = result(within: .seconds(3_600)) { return result }
    }
  }

  /// Waits for the end no longer than for a while.
  func result(within limit: DispatchTimeInterval) -> Result<Value, any Error>? {
    guard end.wait(timeout: .now() + limit) == .success else { return nil }
    end.signal()
    return outcome.withLock { $0 }
  }
}

/// A flag that one thread sets and another reads.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}

/// A writer that commits without pause until it is stopped.
final class BusyWriter: Sendable {
  private let isDone = Flag()
  private let writing: Background<Int>

  init(_ store: SecretStore) {
    writing = Background { [isDone] in
      var count = 0
      while !isDone.isSet {
        try store.set(SecretBytes("\(count)"), for: ItemIdentity(service: "busy"))
        count += 1
      }
      return count
    }
  }

  /// Ends it, and returns how many commits it made.
  func stop() throws -> Int {
    isDone.set()
    return try writing.result().get()
  }
}

/// A lock state that tells when a store begins a call.
final class WatchedLockState: LockStateProvider {
  private let manual = ManualLockState()
  private let handler: @Sendable () -> Void

  init(onActivity handler: @escaping @Sendable () -> Void) {
    self.handler = handler
  }

  var state: LockState { manual.state }

  func observe(_ observation: LockObservation) { manual.observe(observation) }

  func noteActivity() { handler() }
}

/// The lock that a writer of another process would hold.
final class HeldWriteLock: Sendable {
  private let descriptor: Int32

  init(_ vault: TemporaryVault) throws {
    descriptor = unsafe open(vault.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw VaultError(.inputOutput)
    }
  }

  deinit { close(descriptor) }

  func release() { flock(descriptor, LOCK_UN) }
}

/// A place in the line of writers, as a process would have it that waits for the lock.
final class HeldPlace {
  private let descriptor: Int32
  private let number: Int32

  init(_ number: Int32, _ vault: TemporaryVault) throws {
    self.number = number
    descriptor = unsafe open(vault.path + ".lock", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0, secretvault_lock_byte(descriptor, number) == 0 else {
      throw VaultError(.inputOutput)
    }
  }

  deinit { close(descriptor) }

  func leave() { secretvault_unlock_byte(descriptor, number) }

  static func isTaken(_ number: Int32, _ vault: TemporaryVault) -> Bool {
    (try? HeldPlace(number, vault)) == nil
  }
}
