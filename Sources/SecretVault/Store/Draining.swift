import Dispatch
import Synchronization
import VaultDatabase

/// When the write-ahead log is emptied, so that deleted ciphertext does not stay in it, and whoever opens the vault next
/// need not read it.
final class DrainSchedule: Sendable {
  private static let idleSeconds = 2
  private static let longestPauseSeconds = 32
  private static let queue = DispatchQueue(label: "secretvault.drain", qos: .utility)

  private let requests = Atomic<UInt64>(0)
  private let done = Atomic<UInt64>(0)
  private let isScheduled = Atomic<Bool>(false)

  /// Asks for a drain once no further request has come for two seconds.
  func request(_ store: SecretStore) {
    let number = requests.wrappingAdd(1, ordering: .relaxed).newValue
    schedule(store, after: number, in: Self.idleSeconds)
  }

  private func schedule(_ store: SecretStore, after number: UInt64, in seconds: Int) {
    if isScheduled.exchange(true, ordering: .relaxed) { return }
    Self.queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak store] in
      guard let store else { return }
      self.isScheduled.store(false, ordering: .relaxed)
      let newest = self.requests.load(ordering: .relaxed)
      guard newest == number else {
        return self.schedule(store, after: newest, in: Self.idleSeconds)
      }
      store.drainIfNeeded()
      // A reader or writer was at work, and may be for long.
      guard self.pending != nil, store.sessions.isOpen else { return }
      let pause = min(2 * seconds, Self.longestPauseSeconds)
      self.schedule(store, after: newest, in: pause)
    }
  }

  /// The number of the last request that has not been served, or `nil`.
  var pending: UInt64? {
    let number = requests.load(ordering: .relaxed)
    return number > done.load(ordering: .relaxed) ? number : nil
  }

  func finish(_ number: UInt64) {
    done.store(number, ordering: .relaxed)
  }
}

extension SecretStore {
  /// Empties the write-ahead log if something was committed since.
  func drainIfNeeded() {
    guard let number = drain.pending else { return }
    if (try? emptyLog()) == true { drain.finish(number) }
  }

  /// Writes the log back into the file and empties it.
  ///
  /// A reader or writer that is at work, or a writer that waits, prevents it for now; nothing waits for them.
  ///
  /// - Returns: Whether no deleted ciphertext is left in the files of the vault.
  /// - Throws: ``VaultError``.
  @discardableResult
  public func emptyLog() throws(VaultError) -> Bool {
    try requireOwnProcess()
    guard access == .readWrite else { return try !location.hasPendingLog() }
    return try withFreeWriteLock { () throws(VaultError) in
      try sessions.withUnkeyedSession { session throws(VaultError) in
        do {
          return try session.connection.checkpoint(.truncate)
        } catch {
          throw VaultError(translating: error)
        }
      }
    }
  }
}
