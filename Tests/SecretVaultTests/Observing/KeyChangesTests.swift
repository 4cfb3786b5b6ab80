import SecretVault
import TestSupport
import Testing

/// What a process is told when another gives the vault new keys, or an earlier state.
@Suite("Changes of the keys, and restores", .timeLimit(.minutes(2)))
struct KeyChangesTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let other: SecretStore
  private let item = ItemIdentity(service: "one")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
    other = try vault.open()
    try store.set(SecretBytes("s"), for: item)
  }

  @Test("new keys are told once, and after the next unlock that anything may have changed")
  func rotation() async throws {
    var events = store.changes.makeAsyncIterator()
    try other.administration(with: vault.credential).rotate()
    #expect(await events.next()?.kind == .keysRotated)
    #expect(store.lockState == .beforeFirstUnlock)
    try await store.unlock(with: vault.credential)
    #expect(await events.next(2).map(\.kind) == [.unlocked, .anythingMayHaveChanged])
    try await store.set(SecretBytes("t"), for: item)
    #expect(await events.next()?.text == "itemSet one")
  }

  @Test("new keys are told while the vault is locked, too")
  func rotationWhileLocked() async throws {
    var events = store.changes.makeAsyncIterator()
    store.lock()
    try other.administration(with: vault.credential).rotate()
    #expect(await events.next(2).map(\.kind) == [.locked, .keysRotated])
    try await store.unlock(with: vault.credential)
    #expect(await events.next(2).map(\.kind) == [.unlocked, .anythingMayHaveChanged])
  }

  @Test("new keys that were made while a store had none are no news to it but at its unlock")
  func rotationBeforeUnlock() async throws {
    let late = try vault.open()
    var events = late.changes.makeAsyncIterator()
    try other.administration(with: vault.credential).rotate()
    try await late.unlock(with: vault.credential)
    #expect(await events.next(2).map(\.kind) == [.unlocked, .anythingMayHaveChanged])
    late.close()
    #expect(await events.next(2).map(\.kind) == [.locked])
  }

  @Test("whoever rotates in a store of their own is told once")
  func ownRotation() async throws {
    var events = store.changes.makeAsyncIterator()
    try store.administration(with: vault.credential).rotate()
    try await store.unlock(with: vault.credential)
    #expect(
      await events.next(3).map(\.kind) == [.keysRotated, .unlocked, .anythingMayHaveChanged]
    )
  }

  @Test("a restore is told, to the process that does it as well: anything may have changed")
  func restore() async throws {
    let backup = vault.folder + "/backup"
    try other.administration(with: vault.credential).backup(to: backup)
    for restoring in [other, store] {
      try await store.set(SecretBytes("u"), for: ItemIdentity(service: "two"))
      var events = store.changes.makeAsyncIterator()
      try restoring.restore(from: backup, with: vault.credential)
      #expect(await events.next()?.kind == .anythingMayHaveChanged)
      #expect(try await store.items().items.map(\.identity.service) == ["one"])
      try await store.set(SecretBytes("u"), for: item)
      #expect(await events.next()?.text == "itemSet one")
    }
  }

  @Test("a restore that makes new keys is told as that")
  func restoreOfFormerKeys() async throws {
    let backup = vault.folder + "/backup"
    try other.administration(with: vault.credential).backup(to: backup)
    try other.administration(with: vault.credential).rotate()
    try await store.unlock(with: vault.credential)
    var events = store.changes.makeAsyncIterator()
    try other.restore(from: backup, with: vault.credential)
    #expect(await events.next()?.kind == .keysRotated)
    try await store.unlock(with: vault.credential)
    #expect(await events.next(2).map(\.kind) == [.unlocked, .anythingMayHaveChanged])
  }

  @Test("an accepted vault is told: items that must be written again now refuse their secrets")
  func acceptance() async throws {
    try await store.update(item) { item, _ in item.mustRevalidate = true }
    var events = store.changes.makeAsyncIterator()
    #expect(try await store.secret(for: item) != nil)
    try other.acceptRestore(with: vault.credential)
    #expect(await events.next()?.kind == .anythingMayHaveChanged)
    await #expect(throws: VaultError(.needsRevalidation)) { try await store.secret(for: item) }
  }
}
