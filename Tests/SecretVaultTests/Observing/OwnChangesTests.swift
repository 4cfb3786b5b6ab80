import Foundation
import SecretVault
import Testing

/// What a process is told of its own writes.
@Suite("Changes of this process", .timeLimit(.minutes(2)))
struct OwnChangesTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  /// Ten thousand writes are ten batches; the environment can ask for them.
  private let batchCount =
    ProcessInfo.processInfo.environment["SECRETVAULT_BURST_BATCHES"].flatMap { Int($0) } ?? 2
  private let item = ItemIdentity(service: "one", account: "alice", group: "default")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
  }

  @Test("each write is one event with its commit's version, in the order of the commits")
  func writes() async throws {
    var events = store.changes.makeAsyncIterator()
    for number in 0..<20 {
      try await store.set(SecretBytes("s"), for: ItemIdentity(service: "\(number)"))
    }
    let told = await events.next(20)
    #expect(told.map(\.text) == (0..<20).map { "itemSet \($0)" })
    #expect(told.compactMap(\.item?.version) == (2...21).map { UInt64($0) })
    #expect(told.allSatisfy { $0.item?.group == "default" })
    let ids = try await store.items().items.sorted { $0.version < $1.version }.map(\.itemID)
    #expect(told.compactMap(\.item?.itemID) == ids)
  }

  @Test("a transaction is told with one version, what it set before what it removed")
  func transaction() async throws {
    try await store.set(SecretBytes("s"), for: item)
    var events = store.changes.makeAsyncIterator()
    try await store.transaction { transaction in
      try transaction.remove(item)
      try transaction.set(SecretBytes("s"), for: ItemIdentity(service: "two"))
      try transaction.set(SecretBytes("t"), for: ItemIdentity(service: "two"))
    }
    let told = await events.next(2)
    #expect(told.map(\.text) == ["itemSet two", "itemRemoved one"])
    #expect(told.compactMap(\.item?.version) == [3, 3])
  }

  @Test("a rename is one event with both identities, and the item keeps its id")
  func rename() async throws {
    try await store.set(SecretBytes("s"), for: item)
    let id = try #require(try await store.item(for: item)?.itemID)
    var events = store.changes.makeAsyncIterator()
    try await store.update(item) { item, _ in item.identity.account = "bob" }
    let told = await events.next()
    #expect(told?.kind == .itemRenamed)
    #expect(told?.item?.itemID == id)
    #expect(told?.item?.formerIdentity == item)
    #expect(told?.item?.identity?.account == "bob")
  }

  @Test("a write that fails, or changes nothing, is not told")
  func failures() async throws {
    try await store.set(SecretBytes("s"), for: item)
    var events = store.changes.makeAsyncIterator()
    await #expect(throws: VaultError(.duplicateItem)) {
      try await store.add(SecretItem(identity: item), secret: nil)
    }
    #expect(try await !store.remove(ItemIdentity(service: "none")))
    try await store.set(SecretBytes("s"), for: ItemIdentity(service: "last"))
    #expect(await events.next()?.text == "itemSet last")
  }

  @Test("every iterator has every event from its beginning on")
  func twoReaders() async throws {
    var first = store.changes.makeAsyncIterator()
    try await store.set(SecretBytes("s"), for: item)
    var second = store.changes.makeAsyncIterator()
    try await store.remove(item)
    #expect(await first.next(2).map(\.text) == ["itemSet one", "itemRemoved one"])
    #expect(await second.next()?.text == "itemRemoved one")
  }

  @Test("a reader that waits is woken by a write")
  func waitingReader() async throws {
    let isReading = Flag()
    let reader = Task { [events = store.changes] in
      var iterator = events.makeAsyncIterator()
      isReading.set()
      return await iterator.next()
    }
    while !isReading.isSet { await Task.yield() }
    try await store.set(SecretBytes("s"), for: item)
    #expect(await reader.value?.text == "itemSet one")
  }

  @Test("locks and unlocks are told, with what was written between them, in their order")
  func locks() async throws {
    var events = store.changes.makeAsyncIterator()
    try await store.set(SecretBytes("s"), for: item)
    store.lock()
    store.lock()
    try await store.unlock(with: vault.credential)
    try await store.set(SecretBytes("s"), for: ItemIdentity(service: "two"))
    let told = await events.next(4).map(\.text)
    // The item's class is locked: the event that was not read yet keeps its id only.
    #expect(told == ["itemSet ?", "locked", "unlocked", "itemSet two"])
  }

  @Test("an afterFirstUnlock item keeps its name in an event over a lock")
  func openClass() async throws {
    var events = store.changes.makeAsyncIterator()
    try await store.set(SecretBytes("s"), for: item, accessibility: .afterFirstUnlock)
    store.lock()
    #expect(await events.next()?.text == "itemSet one")
  }

  @Test(
    "a reader that begins before the first unlock is told of it, and that anything may have changed"
  )
  func firstUnlock() async throws {
    store.close()
    let other = try vault.open()
    var events = other.changes.makeAsyncIterator()
    try await other.unlock(with: vault.credential)
    #expect(await events.next(2).map(\.text) == ["unlocked", "anythingMayHaveChanged"])
  }

  @Test("the events end when the store is closed, is let go, or the task is cancelled")
  func ends() async throws {
    var closed = store.changes.makeAsyncIterator()
    var dropped = try vault.openUnlocked().changes.makeAsyncIterator()
    #expect(await dropped.next() == nil)
    let cancelled = Task { [events = store.changes] in
      var iterator = events.makeAsyncIterator()
      return await iterator.next()
    }
    cancelled.cancel()
    #expect(await cancelled.value == nil)
    store.close()
    #expect(await closed.next()?.kind == .locked)
    #expect(await closed.next() == nil)
    var late = store.changes.makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test(
    "more events than a sleeping reader's buffer holds become one, and what it reads then is true"
  )
  func sleepingReader() async throws {
    var events = store.changes.makeAsyncIterator()
    for batch in 0..<batchCount {
      try await store.transaction { transaction in
        for number in 0..<1000 {
          let identity = ItemIdentity(service: "\(number)", account: "\(batch % 3)")
          try transaction.set(SecretBytes("s"), for: identity)
        }
      }
    }
    try await store.set(SecretBytes("s"), for: ItemIdentity(service: "last"))
    var replica = Replica()
    let told = await events.events(through: "last")
    for event in told { try replica.apply(event, of: store) }
    #expect(told.first?.kind == .anythingMayHaveChanged)
    #expect(told.count < 1100)
    #expect(try replica.differences(from: Replica(store)) == [])
  }
}
