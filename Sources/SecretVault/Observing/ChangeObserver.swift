import SecretMemory
import Synchronization
import VaultFormat

/// Tells the readers of a store's changes what happened, in one order for all of them.
///
/// It costs nothing while there is no reader. Locks are taken in the order: the store's, ``state``, ``buffers``.
final class ChangeObserver: Sendable {
  private let state = Mutex(ObservedState())
  private let buffers = Mutex<[EventBuffer]>([])
  private let hasReaders = Atomic<Bool>(false)
  private let watch = Mutex<FolderWatch?>(nil)
  private let process = ForkCount.current

  deinit {
    if !isForked { finish() }
  }

  /// Whether this is a child made by `fork`, which has neither the threads nor the state of the locks.
  private var isForked: Bool { ForkCount.current != process }

  /// Whether anyone reads the changes, who cannot be in a child made by `fork`.
  var isActive: Bool { !isForked && hasReaders.load(ordering: .acquiring) }

  /// Lets a reader have every event from now on, watching the vault's folder from the first one on.
  func add(_ buffer: EventBuffer, watching startWatch: () -> FolderWatch) {
    watch.withLock { watch in
      if watch == nil { watch = startWatch() }
      buffers.withLock { $0.append(buffer) }
      hasReaders.store(true, ordering: .releasing)
    }
  }

  /// Forgets a reader; with the last one goes everything that was kept for them.
  func remove(_ buffer: EventBuffer) {
    watch.withLock { watch in
      let isLast = buffers.withLock { buffers in
        buffers.removeAll { $0 === buffer }
        return buffers.isEmpty
      }
      if isLast { end(&watch) }
    }
    state.withLock { if !isActive { $0 = ObservedState() } }
  }

  /// Ends the changes of every reader, after the events that are there.
  func finish() {
    let readers = watch.withLock { watch in
      end(&watch)
      return buffers.withLock { buffers in
        defer { buffers = [] }
        return buffers
      }
    }
    for reader in readers {
      reader.finish()
      reader.wakeReader()
    }
  }

  private func end(_ watch: inout FolderWatch?) {
    hasReaders.store(false, ordering: .releasing)
    watch?.cancel()
    watch = nil
  }

  /// Looks for changes soon, in the watcher's thread.
  func lookSoon() {
    watch.withLock { $0 }?.lookSoon()
  }

  /// Tells an event that concerns the whole vault; readers are not woken yet, since callers hold locks.
  func note(_ kind: VaultEvent.Kind) {
    if isActive { append([.vault(kind)]) }
  }

  /// Drops the names that a lock closes, or all.
  func forgetNames(ofEveryClass: Bool) {
    guard isActive else { return }
    state.withLock { $0.forgetNames(ofEveryClass: ofEveryClass) }
    for buffer in buffers.withLock({ $0 }) { buffer.forgetNames(ofEveryClass: ofEveryClass) }
  }

  /// Gives the readers what they wait for; to be called without locks.
  func wakeReaders() {
    guard isActive else { return }
    for buffer in buffers.withLock({ $0 }) { buffer.wakeReader() }
  }

  /// Tells what changed up to the present states, inside a transaction that sees them, and whether anything did.
  ///
  /// - Throws: ``VaultError``: `keysRotated`, and `locked` from `check`; damage is told as an event.
  func catchUp(
    in open: OpenGroups,
    following known: KnownSnapshots,
    using session: Session,
    checking check: () throws(VaultError) -> Void
  ) throws(VaultError) -> Bool {
    try state.withLock { state throws(VaultError) in
      do throws(VaultError) {
        var states: [(group: OpenGroup, snapshot: GroupSnapshot)] = []
        for group in open.groups {
          try check()
          states.append((group, try session.refresh(group, known: known[group])))
        }
        let advance = try state.advance(to: states, using: session)
        let events = state.events(of: advance, in: open, using: session)
        state.apply(advance)
        append(events)
        return !events.isEmpty
      } catch  where error.code == .keysRotated || error.code == .locked {
        throw error
      } catch {
        append(state.lose())
        return false
      }
    }
  }

  /// Makes a commit, and tells what it changed in the order of the commits.
  func note(
    _ finished: [(OpenGroup, GroupSnapshot)],
    of commit: Commit,
    _ makeDurable: () throws(VaultError) -> Void
  ) throws(VaultError) {
    try state.withLock { state throws(VaultError) in
      // What is not followed yet is told as a whole when the watcher comes to it.
      guard state.follows(finished.map(\.0)),
        let advance = try? state.advance(to: finished, using: commit.session)
      else { return try makeDurable() }
      let events = state.events(
        of: advance,
        in: commit.open,
        formerNames: commit.formerNames,
        using: commit.session
      )
      try makeDurable()
      state.apply(advance)
      append(events)
    }
  }

  private func append(_ events: [BufferedEvent]) {
    guard !events.isEmpty else { return }
    for buffer in buffers.withLock({ $0 }) { buffer.append(events) }
  }
}
