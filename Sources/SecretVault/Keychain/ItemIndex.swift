import Synchronization
import VaultCrypto
import VaultFormat

/// Finds items by any of their attributes without opening every row of a group each time.
///
/// It keeps hashes under the process's seed and no names, follows the writes of all processes page by page,
/// and lasts no longer than the unlocking that it was made in.
package final class ItemIndex: Sendable {
  private struct Contents {
    var span: UnlockedSpan?
    var groups: [Identifier: GroupIndex] = [:]
  }

  private let contents = Mutex(Contents())
  private let observation = Mutex<LockObservation?>(nil)

  /// Makes an empty index, which a lock of the store's provider empties again.
  package init(for store: SecretStore) {
    let observation = LockObservation { [weak self] state in
      // Where it is in use, the call that uses it ends on its own, and the next one drops it.
      if state != .unlocked { _ = self?.contents.withLockIfAvailable { $0 = Contents() } }
    }
    self.observation.withLock { $0 = observation }
    store.provider.observe(observation)
  }

  /// How many rows are known, for the tests of the index itself.
  package var rowCount: Int {
    contents.withLock { $0.groups.values.reduce(0) { $0 + $1.rowCount } }
  }

  /// The rows of a group that can match a search, as they are in `snapshot`.
  ///
  /// Runs inside a transaction that sees `snapshot`; reads only the pages that have changed.
  func candidates(
    for search: ItemSearch,
    in group: OpenGroup,
    at snapshot: GroupSnapshot,
    during span: UnlockedSpan,
    with reader: RowReader
  ) throws(VaultError) -> Candidates {
    try contents.withLock { contents throws(VaultError) in
      if contents.span != span { contents = Contents(span: span) }
      let id = group.scope.groupID
      // Taken out first, so that it has one owner and is changed in place.
      var index = contents.groups.removeValue(forKey: id) ?? GroupIndex()
      defer { contents.groups[id] = index }
      try index.follow(group, to: snapshot, with: reader)
      return index.candidates(for: search)
    }
  }
}

/// The time between an unlock and the next lock or unlock of a store.
struct UnlockedSpan: Equatable, Sendable {
  let generation: UInt64
  let lockCount: UInt64
}

/// The rows of a group that can match.
struct Candidates: Sendable {
  var lookups: [Digest] = []
  /// Whether there are rows whose attributes cannot be read now, so that they may match.
  var includesLocked = false
}
