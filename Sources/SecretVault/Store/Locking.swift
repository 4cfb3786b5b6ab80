import Synchronization
import VaultCrypto

extension SecretStore {
  /// Wipes the keys of the classes that need an unlocked vault.
  ///
  /// When this returns, those keys are gone from memory, with everything that was derived from them. Running
  /// calls have ended; an open write was rolled back. The afterFirstUnlock classes stay open.
  public func lock() {
    withRunningCallsEnded { state in
      guard state.phase == .unlocked else { return }
      state.phase = .locked
      for group in state.open.groups {
        group.keys.wipeLockedClasses()
        group.name = nil
      }
      sessions.forEachIdle { $0.forgetLockedClasses() }
    }
    endAdministrations()
    drainIfNeeded()
    synchronizeAnchors()
  }

  /// Wipes every key, as at the start of the process.
  func forgetAllKeys() {
    withRunningCallsEnded { state in
      state.phase = .beforeFirstUnlock
      state.generation += 1
      state.open = OpenGroups()
      sessions.forEachIdle { $0.forgetAll() }
    }
    endAdministrations()
  }

  /// Wipes every key and closes the file; every later call answers `locked`.
  ///
  /// A store that is let go without it closes as well, but leaves the write-ahead log to the next opener.
  public func close() {
    drainIfNeeded()
    synchronizeAnchors()
    forgetAllKeys()
    sessions.closeIdle()
  }

  private func withRunningCallsEnded(_ body: (inout UnlockedState) -> Void) {
    pendingLocks.add(1, ordering: .relaxed)
    defer { pendingLocks.subtract(1, ordering: .relaxed) }
    unlocked.withWrite { body(&$0) }
  }

  private func synchronizeAnchors() {
    let anchors = unlocked.withRead { $0.open.groups.compactMap(\.anchor) }
    for anchor in anchors {
      do { try anchor.synchronize() } catch { note(.anchorNotWritten) }
    }
  }

  /// Whether the classes that need an unlocked vault can be used.
  public var lockState: LockState { unlocked.withRead { $0.phase } }

  /// The names of the groups that the credential opened, as far as they can be read now.
  public var groups: [String] { unlocked.withRead { $0.open.groups.compactMap(\.name) } }
}
