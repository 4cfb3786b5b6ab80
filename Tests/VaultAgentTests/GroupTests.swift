import SecretVault
import TestSupport
import Testing
import VaultAgent

@Suite("A-6: groups")
struct GroupTests {
  @Test("an agent that was opened for one group refuses what belongs to another")
  func otherGroup() throws {
    let vault = try AgentVault()
    let groupKey = try Credential.makeKeyFile()
    let credential = Credential.keyFile(contents: vault.keyFile)
    try vault.withStore { try $0.administration(with: credential).createGroup("work") }
    try vault.withStore { store in
      var slot = SecretStore.NewSlot(.keyFile(contents: groupKey))
      slot.group = "work"
      _ = try store.administration(with: credential).addSlot(slot)
    }
    let agent = try RunningAgent()
    try agent.connect().succeed(.unlock(vault.unlockRequest(.keyFile(groupKey))))
    let client = try agent.connect()
    let path = try vault.vaultPath
    let own = ItemIdentity(service: "service", group: "work")
    let foreign = ItemIdentity(service: "service", group: "default")
    try client.succeed(.set(path, own, ItemChanges(), version: nil, SecretBytes("shared")))
    #expect(try client.secret(vault, own) == "shared")
    #expect(try client.failure(of: .secret(path, foreign)) == .notPermitted)
    #expect(try client.failure(of: .item(path, foreign)) == .notPermitted)
    #expect(try client.failure(of: .contents(path, foreign)) == .notPermitted)
    #expect(try client.failure(of: .items(path, ItemQuery(group: "default"))) == .notPermitted)
    #expect(try client.failure(of: .remove(path, foreign, version: nil)) == .notPermitted)
    let secret = try SecretBytes("other")
    #expect(
      try client.failure(of: .set(path, foreign, ItemChanges(), version: nil, secret))
        == .notPermitted
    )
    guard case .listing(let listing, true) = try client.succeed(.items(path, .all)) else {
      throw FrameChannel.Closed()
    }
    #expect(listing.items.map(\.identity.group) == ["work"])
  }
}
