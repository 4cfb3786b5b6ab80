import SecretVault
import TestSupport
import Testing

/// Many processes at one vault: no write is lost, and none is done twice.
@Suite("Many processes")
struct ConcurrencyTests {
  @Test("C-6: twenty processes that set twenty items at once leave twenty items")
  func sets() throws {
    let vault = try ProcessVault()
    let processes = try (1...20).map { number in
      try ChildProcess(vault.tool("set", "service \(number)", input: .text("secret \(number)")))
    }
    for process in processes { #expect(try process.finish().exitCode == 0) }
    try vault.withStore { store in
      let listing = try store.items()
      #expect(listing.items.count == 20)
      for number in 1...20 {
        let secret = try store.secret(for: ItemIdentity(service: "service \(number)"))
        #expect(secret?.copiedAsString() == "secret \(number)")
      }
      let report = try store.administration(with: vault.credential).check()
      #expect(report.isSound)
    }
  }

  @Test("C-6: eight processes that add one to a counter 200 times each leave 1600")
  func increments() throws {
    let vault = try ProcessVault()
    let counter = ItemIdentity(service: "counter")
    try vault.withStore { store in try store.set(SecretBytes("0"), for: counter) }
    let processes = try (1...8).map { _ in
      try ChildProcess(vault.worker("increment", "counter", "200"))
    }
    for process in processes {
      let outcome = try process.finish(within: .seconds(120))
      #expect(outcome.exitCode == 0, "\(outcome.text)")
    }
    try vault.withStore { store in
      let secret = try store.secret(for: counter)
      #expect(secret?.copiedAsString() == "1600")
      let version = try store.item(for: counter)?.version
      // The commit of the first set is number two, after the creation.
      #expect(version == 1602)
    }
  }

  @Test("eight processes that make the same vault at once make one; the others say that it exists")
  func creations() throws {
    let vault = try ProcessVault(empty: ())
    let processes = try (1...8).map { _ in try ChildProcess(vault.tool("init")) }
    let codes = try processes.map { process in try process.finish().exitCode }
    #expect(codes.count { $0 == 0 } == 1)
    #expect(codes.count { $0 == 5 } == 7)
    try vault.withStore { store in
      let listing = try store.items()
      #expect(listing.items.isEmpty)
    }
    #expect(
      try vault.folder.names(in: "home")
        == ["test.vault", "test.vault-shm", "test.vault-wal", "test.vault.lock"]
    )
  }
}
