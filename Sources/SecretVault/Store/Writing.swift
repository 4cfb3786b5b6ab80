import Synchronization
import VaultDatabase
import VaultFormat

/// What all writers of a store share, one at a time.
struct Writer: ~Copyable {
  let fileIdentity: FileIdentity
  /// Of the log, which stays as long as the vault is open; `nil` where there was none.
  private var logIdentity: FileIdentity?
  private var lock: WriteLock?

  init(fileIdentity: FileIdentity) {
    self.fileIdentity = fileIdentity
  }

  /// Notes which log the connections of the store write to, once one of them has read.
  mutating func noteLog(of location: VaultLocation) throws(VaultError) {
    logIdentity = try location.identity(of: "-wal")
  }

  /// Runs `body` while no other process writes, on the file that was opened.
  mutating func withFileLock<Result: ~Copyable>(
    _ location: VaultLocation,
    until deadline: ContinuousClock.Instant,
    while mayWait: () -> Bool,
    _ body: () throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    if lock == nil { lock = try WriteLock(location) }
    guard try lock?.acquire(until: deadline, while: mayWait) != nil
    else { throw VaultError(.inputOutput) }
    return try whileLocked(location, body)
  }

  /// Runs `body` on the file that was opened unless another process writes or waits to; returns false where one does.
  mutating func withFreeFileLock(
    _ location: VaultLocation,
    _ body: () throws(VaultError) -> Bool
  ) throws(VaultError) -> Bool {
    if lock == nil { lock = try WriteLock(location) }
    guard try lock?.acquireIfFree() == true else { return false }
    return try whileLocked(location, body)
  }

  /// Closes the file of the lock, which the next writer would open again.
  mutating func closeFile() { lock = nil }

  private mutating func whileLocked<Result: ~Copyable>(
    _ location: VaultLocation,
    _ body: () throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    defer { lock?.release() }
    // Contents may also be copied over those of the vault, and the log removed. What is written to a log without a name
    // is lost.
    let log = logIdentity == nil ? nil : try location.identity(of: "-wal")
    guard try location.identity() == fileIdentity, log == logIdentity else {
      throw VaultError(
        .vaultReplaced,
        "the vault file was replaced while it was open; open it again"
      )
    }
    return try body()
  }
}

extension SecretStore {
  /// Makes one commit of the changes of `body`, or none if it throws or changes nothing.
  func commit<Result>(
    _ body: (Commit) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    guard access == .readWrite else { throw VaultError(.readOnly) }
    defer { observer.wakeReaders() }
    return try perform { open, session throws(VaultError) in
      do { try session.connection.prepareForNewItem() } catch {
        throw VaultError(translating: error)
      }
      return try withWriteLock { () throws(VaultError) in
        try beginWrite(session.connection)
        defer { session.connection.rollback() }
        let commit = Commit(session: session, open: open, random: random)
        let isObserved = observer.isActive
        if isObserved { try catchUpWithChanges(open, session) }
        let result = try body(commit)
        guard commit.isChanged else { return result }
        let finished = try commit.finish()
        // A lock that came meanwhile rolls the open write back.
        try requireNoPendingLock()
        if isObserved {
          try observer.note(finished, of: commit) { () throws(VaultError) in
            try makeDurable(session.connection)
          }
        } else {
          try makeDurable(session.connection)
        }
        for (group, snapshot) in finished {
          group.publish(snapshot)
          // Before the next writer, so that a restore sees how far the anchors are.
          advance(group.anchor, to: snapshot.verified)
        }
        if commit.hasOverfullHistory { note(.overfullHistory) }
        drain.request(self)
        return result
      }
    }
  }

  private func makeDurable(_ connection: any DatabaseConnection) throws(VaultError) {
    do { try connection.commit() } catch { throw VaultError(translating: error) }
  }

  /// Begins a write in short waits, since another program that holds SQLite's own lock must not hold up a lock of
  /// the vault.
  func beginWrite(
    _ connection: any DatabaseConnection,
    waiting limit: Duration? = nil
  ) throws(VaultError) {
    let deadline = ContinuousClock.now + (limit ?? busyLimit)
    while true {
      try requireNoPendingLock()
      do {
        return try connection.beginWrite(waiting: Self.shortWaitMilliseconds)
      } catch  where error.code == .busy && ContinuousClock.now < deadline {
        continue
      } catch {
        throw VaultError(translating: error)
      }
    }
  }

  private static var shortWaitMilliseconds: Int32 { 50 }

  private var busyLimit: Duration { .milliseconds(options.busyTimeoutMilliseconds) }

  /// Runs `body` while no other thread or process writes, on the file that was opened.
  ///
  /// It waits for its turn as long as the options say, or up to another limit.
  func withWriteLock<Result: ~Copyable>(
    waiting limit: Duration? = nil,
    _ body: () throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let deadline = ContinuousClock.now + (limit ?? busyLimit)
    return try writer.withLock { writer throws(VaultError) in
      try requireNoPendingLock()
      return try writer.withFileLock(location, until: deadline, while: { !isLockPending }, body)
    }
  }

  /// Runs `body` if nobody writes now or waits to; returns false where somebody does, or where `body` finds the file
  /// busy.
  func withFreeWriteLock(_ body: () throws(VaultError) -> Bool) throws(VaultError) -> Bool {
    do {
      return try writer.withLockIfAvailable { writer throws(VaultError) in
        try writer.withFreeFileLock(location, body)
      } ?? false
    } catch  where error.code == .busy {
      return false
    }
  }

  private var isLockPending: Bool { pendingLocks.load(ordering: .relaxed) > 0 }

  /// Notes a state in the state folder; the write itself is done, so a failure is only told.
  func advance(_ anchor: Anchor?, to verified: VerifiedPosition) {
    do { try anchor?.advance(to: verified) } catch { note(.anchorNotWritten) }
  }
}
