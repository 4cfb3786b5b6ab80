/// What happens to a vault, from the moment on when an iterator is made: the writes of this process and of others, locks
/// and unlocks.
///
/// ```swift
/// for await event in store.changes {
///   if event.kind == .anythingMayHaveChanged { try reload() }
/// }
/// ```
///
/// A write of this process is told with its commit, in the order of the commits: an event for each item that it changed.
/// Writes of other processes are told as the net change of each item between two states that were verified: first what
/// was set, by ascending version, then what was removed. A renamed item keeps its ``ChangedItem/itemID``, so who keeps
/// a copy should keep it by that.
///
/// Each iterator has a buffer of its own. One that falls behind by more than 1024 events gets
/// ``VaultEvent/Kind/anythingMayHaveChanged`` in their place, and so does every iterator when a vault of more than 300 000
/// items in one group is changed, when a vault is unlocked that could not be followed before, and when it cannot be
/// verified; the next call on the store then says why.
///
/// Making an iterator reads the claims of all items, 107 bytes each, which are kept while there are iterators. The
/// sequence ends when the store is closed or let go, and when the task is cancelled. Items behind an agent have no changes
/// to follow.
public struct VaultEvents: AsyncSequence, Sendable {
  /// The events are the elements.
  public typealias Element = VaultEvent
  /// No event can fail; damage is told by an event.
  public typealias Failure = Never

  private let store: WeakStore

  init(_ store: SecretStore) {
    self.store = WeakStore(store)
  }

  /// Starts following the vault.
  public func makeAsyncIterator() -> Iterator {
    Iterator(EventSubscription(to: store.store))
  }

  /// Takes one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: EventSubscription

    fileprivate init(_ subscription: EventSubscription) {
      self.subscription = subscription
    }

    /// Waits for the next event; `nil` at the end.
    public mutating func next() async -> VaultEvent? {
      await subscription.buffer.next()
    }

    /// Waits for the next event; `nil` at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> VaultEvent? {
      await subscription.buffer.next()
    }
  }
}

/// The place of one iterator among the readers; it ends with the iterator.
final class EventSubscription: Sendable {
  let buffer = EventBuffer()
  private let store: WeakStore

  init(to store: SecretStore?) {
    self.store = WeakStore(store)
    if let store { store.startTelling(buffer) } else { buffer.finish() }
  }

  deinit {
    store.store?.stopTelling(buffer)
  }
}

/// Keeps no store alive.
struct WeakStore: Sendable {
  private(set) weak var store: SecretStore?

  init(_ store: SecretStore?) {
    self.store = store
  }
}
