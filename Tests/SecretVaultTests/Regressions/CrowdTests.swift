import SecretVault
import Synchronization
import Testing

@Suite("Many threads and stores at once")
struct CrowdTests {
  private let vault: TemporaryVault

  init() throws { vault = try TemporaryVault() }

  @Test("stores that write, read, list, lock and open at once raise no alarm and lose no write")
  func crowd() throws {
    try vault.create().close()
    let isDone = Atomic<Bool>(false)
    let writers = try (0..<3).map { number in
      let store = try vault.openUnlocked()
      return Background { try write(60, as: number, with: store) }
    }
    let shared = try vault.openUnlocked()
    let readers = (0..<2).map { _ in
      Background {
        while !isDone.load(ordering: .relaxed) {
          _ = try shared.items()
          _ = try shared.secret(for: ItemIdentity(service: "counter"))
        }
      }
    }
    let opener = Background { [vault] in
      while !isDone.load(ordering: .relaxed) { try openAndClose(vault) }
    }
    let outcomes = writers.map { $0.result() }
    isDone.store(true, ordering: .relaxed)
    for outcome in outcomes { try outcome.get() }
    for reader in readers { try reader.result().get() }
    try opener.result().get()
    #expect(try shared.secret(for: ItemIdentity(service: "counter"))?.text == "180")
    #expect(try shared.items().items.count == 4)
    #expect(try shared.administration(with: vault.credential).check().isSound)
  }
}

/// Counts up one item that all share, and renames one of its own to and fro.
private func write(_ count: Int, as number: Int, with store: SecretStore) throws {
  let counter = ItemIdentity(service: "counter")
  let names = ["a", "b"].map { ItemIdentity(service: "own", account: "\(number)\($0)") }
  try store.set(SecretBytes("own"), for: names[0])
  for round in 0..<count {
    try store.transaction { transaction in
      let old = try transaction.secret(for: counter)?.text.flatMap { Int($0) } ?? 0
      try transaction.set(SecretBytes("\(old + 1)"), for: counter)
      // A read decides, so that a count that another store has changed meanwhile is not lost.
      _ = try transaction.item(for: counter)
      try transaction.update(names[round % 2]) { item, _ in
        item.identity = names[(round + 1) % 2]
      }
    }
  }
}

private func openAndClose(_ vault: TemporaryVault) throws {
  let store = try vault.openUnlocked()
  _ = try store.items()
  store.lock()
  defer { store.close() }
  do {
    _ = try store.secret(for: ItemIdentity(service: "counter"))
  } catch  where error.code == .locked {
    // It is there, and locked.
  }
}
