import SecretVault
import Testing
import VaultAgent

@Suite("Histories and expiry through the agent")
struct HistoryTests {
  private let vault: AgentVault
  private let agent: RunningAgent
  private let item = ItemIdentity(service: "kept")

  init() throws {
    vault = try AgentVault()
    agent = try RunningAgent()
    try agent.unlock(vault)
  }

  private func set(_ secret: String, _ changes: ItemChanges, over client: FrameChannel) throws {
    try client.succeed(
      .set(vault.vaultPath, item, changes, version: nil, SecretBytes(secret))
    )
  }

  private func secret(_ request: Request, over client: FrameChannel) throws -> String? {
    guard case .secret(let secret) = try client.succeed(request) else {
      throw FrameChannel.Closed()
    }
    return secret?.text
  }

  private func history(over client: FrameChannel) throws -> [ItemVersion] {
    guard case .history(let versions) = try client.succeed(.history(vault.vaultPath, item)) else {
      throw FrameChannel.Closed()
    }
    return versions
  }

  @Test("what a client keeps, it can list, read and restore")
  func keeping() throws {
    let client = try agent.connect()
    let path = try vault.vaultPath
    for secret in ["1", "2", "3"] {
      try set(secret, ItemChanges(versionsKept: 2), over: client)
    }
    let versions = try history(over: client)
    #expect(try vault.withStore { try $0.history(of: item) } == versions)
    #expect(versions.count == 2)
    for (version, text) in zip(versions, ["2", "1"]) {
      let request = Request.earlierSecret(path, item, version: version.version)
      #expect(try secret(request, over: client) == text)
    }
    #expect(try secret(.earlierSecret(path, item, version: .max), over: client) == nil)
    try client.succeed(.restoreVersion(path, item, version: versions[1].version))
    #expect(try client.secret(vault, item) == "1")
    #expect(try client.failure(of: .restoreVersion(path, item, version: .max)) == .itemNotFound)
    #expect(try client.failure(of: .history(path, ItemIdentity(service: "x"))) == .itemNotFound)
  }

  @Test("a lock closes the history with the secret")
  func locked() throws {
    let client = try agent.connect()
    let path = try vault.vaultPath
    for secret in ["1", "2"] { try set(secret, ItemChanges(versionsKept: 2), over: client) }
    let version = try #require(try history(over: client).first).version
    try client.succeed(.lock(nil))
    for request in [
      Request.history(path, item), .earlierSecret(path, item, version: version),
      .restoreVersion(path, item, version: version),
    ] {
      #expect(try client.failure(of: request) == .locked)
    }
  }

  @Test("an expired secret is given out to a client that allows it, and listed as expiring")
  func expired() throws {
    let client = try agent.connect()
    let path = try vault.vaultPath
    let moment = Timestamp(millisecondsSince1970: 1_000)
    try set("old", ItemChanges(expires: .at(moment), mustRevalidate: true), over: client)
    #expect(try client.failure(of: .secret(path, item)) == .expired)
    #expect(try secret(.secret(path, item, allowingExpired: true), over: client) == "old")
    guard
      case .listing(let listing, _) = try client.succeed(.items(path, .expiring(before: .now)))
    else { throw FrameChannel.Closed() }
    #expect(listing.items.map(\.identity.service) == [item.service])
    #expect(listing.items.first?.mustRevalidate == true)
  }
}
