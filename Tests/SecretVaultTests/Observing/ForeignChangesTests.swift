import Glibc
import SecretVault
import TestSupport
import Testing

/// What a process is told of the writes of others; a second store on the same file stands for another process.
@Suite("Changes of other processes", .timeLimit(.minutes(2)))
struct ForeignChangesTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let other: SecretStore

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
    other = try vault.openUnlocked()
  }

  @Test("a write of another is told with its version, identity and group")
  func write() async throws {
    var events = store.changes.makeAsyncIterator()
    let identity = ItemIdentity(service: "one", account: "alice", group: "default")
    try await other.set(SecretBytes("s"), for: identity)
    let told = await events.next()
    #expect(told?.kind == .itemSet)
    #expect(told?.item?.identity == identity)
    #expect(told?.item?.version == 2)
    #expect(told?.item?.itemID == (try await store.item(for: identity)?.itemID))
  }

  @Test("what others wrote is told before the write that comes after it")
  func order() async throws {
    var events = store.changes.makeAsyncIterator()
    for number in 0..<50 {
      try await other.set(SecretBytes("s"), for: ItemIdentity(service: "other \(number)"))
      try await store.set(SecretBytes("s"), for: ItemIdentity(service: "own \(number)"))
    }
    let told = await events.next(100)
    #expect(told.map(\.text) == (0..<50).flatMap { ["itemSet other \($0)", "itemSet own \($0)"] })
    #expect(told.compactMap(\.item?.version) == (2...101).map { UInt64($0) })
  }

  @Test("one commit of many changes is told by item, renames as such and removals last")
  func netChange() async throws {
    for service in ["kept", "changed", "renamed", "removed"] {
      try await store.set(SecretBytes("s"), for: ItemIdentity(service: service))
    }
    var events = store.changes.makeAsyncIterator()
    try await other.transaction { transaction in
      try transaction.remove(ItemIdentity(service: "removed"))
      try transaction.set(SecretBytes("t"), for: ItemIdentity(service: "changed"))
      try transaction.set(SecretBytes("u"), for: ItemIdentity(service: "changed"))
      try transaction.update(ItemIdentity(service: "renamed")) { item, _ in
        item.identity.service = "new name"
      }
      try transaction.set(SecretBytes("s"), for: ItemIdentity(service: "passing"))
      try transaction.remove(ItemIdentity(service: "passing"))
    }
    let told = await events.next(3)
    #expect(
      Set(told.prefix(2).map(\.text)) == ["itemSet changed", "itemRenamed new name"]
    )
    // Nobody had told this reader what the item was called.
    #expect(told.last?.text == "itemRemoved ?")
    #expect(told.allSatisfy { $0.item?.version == 6 })
  }

  @Test("a removal is named where an earlier event named the item")
  func namedRemoval() async throws {
    var events = store.changes.makeAsyncIterator()
    let identity = ItemIdentity(service: "one")
    try await other.set(SecretBytes("s"), for: identity)
    #expect(await events.next()?.text == "itemSet one")
    try await other.remove(identity)
    #expect(await events.next()?.text == "itemRemoved one")
  }

  @Test("while locked, items of locked classes are told by their ids alone, and others by name")
  func lockedClasses() async throws {
    var events = store.changes.makeAsyncIterator()
    store.lock()
    let hidden = ItemIdentity(service: "hidden")
    try await other.set(SecretBytes("s"), for: hidden)
    let told = await events.next(2)
    #expect(told.map(\.text) == ["locked", "itemSet ?"])
    #expect(told.last?.item?.itemID == (try await other.item(for: hidden)?.itemID))
    #expect(told.last?.item?.group == nil)
    try await other.set(
      SecretBytes("s"),
      for: ItemIdentity(service: "open"),
      accessibility: .afterFirstUnlock
    )
    #expect(await events.next()?.text == "itemSet open")
  }

  @Test("an item is told under the identity it has at last, when it was written over and over")
  func replay() async throws {
    var events = store.changes.makeAsyncIterator()
    var replica = try Replica(store)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let identity = ItemIdentity(service: "\(Int.random(in: 0..<12, using: &random))")
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try await other.remove(identity)
      case 1:
        _ = try? await other.update(identity) { item, _ in
          item.identity.service = AttributeValue("\(Int.random(in: 0..<12))")
        }
      case 2: try await store.set(SecretBytes("s"), for: identity)
      default: try await other.set(SecretBytes("s"), for: identity)
      }
    }
    // Its own write is told after everything that others did, removals included.
    try await store.set(SecretBytes("s"), for: ItemIdentity(service: "last"))
    let told = await events.events(through: "last")
    for event in told { try replica.apply(event, of: store) }
    #expect(told.allSatisfy { $0.kind != .anythingMayHaveChanged })
    #expect(try replica.differences(from: Replica(store)) == [])
  }

  @Test("changes do not count as use: a vault that nobody uses locks while others write")
  func idleLock() async throws {
    let lockState = IdleLockState(after: .milliseconds(300))
    let idle = try vault.openUnlocked(lockState: lockState)
    var events = idle.changes.makeAsyncIterator()
    var number = 0
    while idle.lockState == .unlocked {
      number += 1
      try #require(number < 100_000)
      try await other.set(SecretBytes("s"), for: ItemIdentity(service: "\(number % 5)"))
    }
    var kinds: [VaultEvent.Kind] = []
    while kinds.last != .locked, let event = await events.next() { kinds.append(event.kind) }
    #expect(kinds.last == .locked)
  }

  @Test("a change is told although there was no connection to look at it with at first")
  func lostLook() async throws {
    try other.write(500, "base")
    var events = store.changes.makeAsyncIterator()
    for number in 0..<10 {
      // Nothing can be opened at its path, and what is open works.
      let away = vault.folder + "-away"
      try #require(unsafe rename(vault.folder, away) == 0)
      let isDone = Flag()
      // They take every connection that there is, again and again.
      let readers = (0..<4).map { _ in
        Background { [store] in while !isDone.isSet { _ = try? store.items() } }
      }
      // The writer may want for a connection as well, while its log is emptied.
      while (try? await other.set(SecretBytes("s"), for: ItemIdentity(service: "told \(number)")))
        == nil
      {}
      // A look that fails leaves nothing that could be waited for.
      try await Task.sleep(for: .milliseconds(20))
      isDone.set()
      for reader in readers { _ = reader.result() }
      try #require(unsafe rename(away, vault.folder) == 0)
      #expect(await events.next()?.text == "itemSet told \(number)")
    }
  }

  @Test("a state that cannot be verified is told once, and again when it can be")
  func damage() async throws {
    try await store.set(SecretBytes("s"), for: ItemIdentity(service: "one"))
    var events = store.changes.makeAsyncIterator()
    let raw = try RawDatabase(vault.path)
    try raw.execute("CREATE TEMP TABLE sound AS SELECT tag FROM grp")
    try raw.execute("UPDATE grp SET tag = zeroblob(32)")
    // A lock makes the store look; who writes past the write lock may be seen late, or before the lock.
    for _ in 0..<3 {
      store.lock()
      try raw.execute("UPDATE grp SET tag = zeroblob(32)")
    }
    #expect(Set(await events.next(2).map(\.text)) == ["locked", "anythingMayHaveChanged"])
    await #expect(throws: VaultError(.tampered)) { try await store.items() }
    try raw.execute("UPDATE grp SET tag = (SELECT tag FROM sound)")
    try await other.set(SecretBytes("s"), for: ItemIdentity(service: "two"))
    #expect(await events.next()?.text == "anythingMayHaveChanged")
    try await other.set(SecretBytes("s"), for: ItemIdentity(service: "three"))
    #expect(await events.next()?.item != nil)
  }
}
