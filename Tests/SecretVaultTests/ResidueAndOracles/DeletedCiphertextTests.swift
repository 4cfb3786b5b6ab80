import Foundation
import SecretVault
import TestSupport
import Testing

/// What was deleted or overwritten is not in the vault's files any more, not even sealed.
@Suite("Deleted ciphertext")
struct DeletedCiphertextTests {
  /// The ways in which a vault empties its log.
  enum Draining: CaseIterable {
    case close
    case lock
    case request
    case idleness
  }

  private let vault: TemporaryVault
  private let doomed = ItemIdentity(service: "doomed")
  private let overwritten = ItemIdentity(service: "overwritten")
  private let kept = ItemIdentity(service: "kept")

  /// A vault of three items, each longer than a page of the file.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    for item in [doomed, overwritten, kept] {
      try store.set(SecretBytes(copying: (0..<9_000).map { UInt8($0 % 251) }), for: item)
    }
    store.close()
  }

  @Test(
    "P-2: no old box is in the vault or its log after a delete, an update and a drain",
    arguments: Draining.allCases
  )
  func drained(by draining: Draining) throws {
    let old = try boxes(of: [doomed, overwritten])
    let other = try boxes(of: [kept])
    #expect(try vault.count(of: old) == old.count)
    let store = try vault.openUnlocked()
    #expect(try store.remove(doomed))
    try store.set(SecretBytes("short"), for: overwritten)
    #expect(try vault.count(of: old) > 0, "the log still holds what the file did")
    try drain(store, draining, until: { try vault.count(of: old) == 0 })
    #expect(try vault.count(of: old) == 0)
    #expect(try vault.count(of: other) == other.count)
    store.close()
  }

  @Test("P-2: a log that a reader held when its time came is emptied later")
  func hindered() throws {
    let old = try boxes(of: [doomed])
    let store = try vault.openUnlocked()
    let reader = try RawDatabase(vault.path)
    try reader.execute("BEGIN; SELECT * FROM head")
    #expect(try store.remove(doomed))
    // Longer than the two seconds without a commit after which the log is emptied: a try that fails shows nowhere.
    usleep(3_000_000)
    #expect(try vault.count(of: old) > 0)
    try reader.execute("COMMIT")
    try drain(store, .idleness, until: { try vault.count(of: old) == 0 })
    #expect(try vault.count(of: old) == 0)
    store.close()
  }

  private func drain(
    _ store: SecretStore,
    _ draining: Draining,
    until isDrained: () throws -> Bool
  ) throws {
    switch draining {
    case .close: store.close()
    case .lock: store.lock()
    case .request: #expect(try store.emptyLog())
    case .idleness:
      let deadline = ContinuousClock.now + .seconds(20)
      while try !isDrained(), ContinuousClock.now < deadline { usleep(100_000) }
    }
  }

  /// The boxes of some items in pieces that are short enough to lie in one page each.
  private func boxes(of identities: [ItemIdentity]) throws -> [Data] {
    let raw = try vault.raw()
    let group = try GroupInsider(raw, Insider(raw, keyFile: vault.keyFile))
    return try identities.flatMap { identity in
      let item = try group.item(identity)
      let offsets = stride(from: 0, to: item.secret.count - 512, by: 512)
      let ofSecret = offsets.map { Data(item.secret[$0..<($0 + 16)]) }
      return ofSecret + [Data(item.attributes.prefix(16)), Data(item.rev)]
    }
  }
}
