import Synchronization
import VaultCrypto

extension SecretStore {
  /// Wipes the keys of the classes that need an unlocked vault.
  ///
  /// When this returns, those keys are gone from memory, with everything that was derived from them. Running
  /// calls have ended; an open write was rolled back. The afterFirstUnlock classes stay open.
  public func lock() {
    if isForked { return }
    endRunningCalls { state in
      guard state.phase == .unlocked else { return }
      state.phase = .locked
      for group in state.open.groups {
        group.keys.wipeLockedClasses()
        group.forgetName()
      }
      sessions.forEachIdle { $0.forgetLockedClasses() }
      observer.forgetNames(ofEveryClass: false)
      observer.note(.locked)
    }
    observer.wakeReaders()
    // The lock may have ended a look at what others wrote.
    observer.lookSoon()
    drainIfNeeded()
    synchronizeAnchors()
  }

  /// Wipes every key, as at the start of the process, and tells those who follow the changes why.
  ///
  /// Administrations outlive a rotation: one of them may have made the new keys, and the others notice by themselves.
  func forgetAllKeys(telling reason: VaultEvent.Kind = .locked) {
    if isForked { return }
    defer { observer.wakeReaders() }
    endRunningCalls(endsAdministrations: reason != .keysRotated) { state in
      observer.forgetNames(ofEveryClass: true)
      if state.phase != .beforeFirstUnlock { observer.note(reason) }
      state.phase = .beforeFirstUnlock
      state.generation += 1
      state.open = OpenGroups()
      sessions.forEachIdle { $0.forgetAll() }
    }
  }

  /// Wipes every key and closes the file; every later call answers `locked`.
  ///
  /// A store that is let go without it closes as well, but leaves the write-ahead log to the next opener.
  public func close() {
    if isForked { return }
    drainIfNeeded()
    synchronizeAnchors()
    // First, so that nothing is opened any more; what is lent is closed when it comes back.
    sessions.close()
    forgetAllKeys()
    observer.finish()
    writer.withLock { $0.closeFile() }
    anchors?.closeFiles()
  }

  /// Ends running calls and administrations, and keeps what is being opened from being put to use.
  private func endRunningCalls(
    endsAdministrations: Bool = true,
    _ body: (inout UnlockedState) -> Void
  ) {
    pendingLocks.add(1, ordering: .relaxed)
    defer { pendingLocks.subtract(1, ordering: .relaxed) }
    unlocked.withWrite { state in
      state.lockCount += 1
      body(&state)
    }
    if endsAdministrations { endAdministrations() }
  }

  /// Throws if a lock came since `lockCount` was read.
  func requireNoLock(since lockCount: UInt64, _ state: borrowing UnlockedState) throws(VaultError) {
    guard state.lockCount == lockCount else {
      throw VaultError(.locked, "the vault was locked meanwhile; give the credential again")
    }
  }

  /// How many locks there were.
  var lockCount: UInt64 { unlocked.withRead { $0.lockCount } }

  private func synchronizeAnchors() {
    let anchors = unlocked.withRead { $0.open.groups.compactMap(\.anchor) }
    for anchor in anchors {
      do { try anchor.synchronize() } catch { note(.anchorNotWritten) }
    }
  }

  /// Whether the classes that need an unlocked vault can be used.
  public var lockState: LockState {
    isForked ? .beforeFirstUnlock : unlocked.withRead { $0.phase }
  }

  /// The names of the groups that the credential opened, as far as they can be read now.
  public var openedGroups: [String] {
    isForked ? [] : unlocked.withRead { $0.open.groups.compactMap(\.name) }
  }
}
