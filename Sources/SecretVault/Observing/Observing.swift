import Glibc
import VaultFormat

extension SecretStore {
  /// What happens to the vault from now on, in this process and in others; identities and no secrets.
  ///
  /// Every iteration has all events. Where the system cannot say that files were written, the vault is looked at once a
  /// second, which `takeNotices()` tells.
  public var changes: VaultEvents { VaultEvents(self) }

  /// Lets a reader have every event from now on.
  func startTelling(_ buffer: EventBuffer) {
    do { try requireOwnProcess() } catch { return buffer.finish() }
    guard sessions.isOpen else { return buffer.finish() }
    // What is there now is not told; the watch looks once when it starts, so nothing falls between.
    _ = catchUpWithChanges()
    observer.wakeReaders()
    observer.add(buffer) {
      let watch = FolderWatch(location) { [weak self] in
        var pause = LookingPause()
        while let look = self?.look(), look != .last { pause.wait(after: look) }
      }
      if watch.isPolling { note(.changesPolled) }
      return watch
    }
    if !sessions.isOpen { observer.finish() }
  }

  /// Forgets a reader.
  func stopTelling(_ buffer: EventBuffer) {
    do { try requireOwnProcess() } catch { return }
    observer.remove(buffer)
  }

  /// Tells what others changed, inside the write transaction of a commit that comes after it.
  func catchUpWithChanges(_ open: OpenGroups, _ session: Session) throws(VaultError) {
    let known = KnownSnapshots(of: open.groups)
    _ = try observer.catchUp(in: open, following: known, using: session) { () throws(VaultError) in
      try requireNoPendingLock()
    }
  }

  /// Tells what others changed.
  ///
  /// What the kernel notes is the write to the log. The commit can be seen only some time after it, but before its
  /// writer lets the write lock go; so the last look is one before which the lock was free.
  private func look() -> Look {
    guard observer.isActive else { return .last }
    let isQuiet = !isBeingWritten
    guard let hasNews = catchUpWithChanges() else { return .nothing }
    observer.wakeReaders()
    if isQuiet { return .last }
    return hasNews ? .news : .nothing
  }

  private var isBeingWritten: Bool {
    let name = location.name + ".lock"
    let file = try? FileDescriptor.file(name, in: location.folder, flags: O_RDONLY)
    return file?.isLocked ?? false
  }

  /// - Returns: Whether anything was told, or `nil` where the vault could not be looked at and has to be again.
  private func catchUpWithChanges() -> Bool? {
    do throws(VaultError) {
      return try perform(isUse: false) { open, session throws(VaultError) in
        let known = KnownSnapshots(of: open.groups)
        return try session.inReadTransaction { () throws(VaultError) in
          try observer.catchUp(in: open, following: known, using: session) {
            () throws(VaultError) in
            try requireNoPendingLock()
          }
        }
      }
    } catch  where error.code == .locked || error.code == .keysRotated {
      // Both have events of their own; after an unlock there is another look.
      return false
    } catch {
      return nil
    }
  }
}

/// What became of a look at the vault.
private enum Look {
  case news
  case nothing
  /// All is told, and nobody was writing; or nobody reads the changes any more.
  case last
}

/// How long to wait between looks while somebody writes, or where a look failed.
private struct LookingPause {
  private var microseconds: UInt32 = 1000

  /// Waits a little where there was news, for more to be told at once, and ever longer where a writer stands still.
  mutating func wait(after look: Look) {
    if look == .news { microseconds = 8000 }
    usleep(microseconds)
    microseconds = min(2 * microseconds, 500_000)
  }
}
