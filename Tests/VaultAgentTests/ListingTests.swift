import Foundation
import SecretVault
import TestSupport
import Testing
import VaultAgent

@Suite("Listings through the agent")
struct ListingTests {
  private static let itemCount = 12_000
  private let vault: AgentVault
  private let agent: RunningAgent

  /// A vault whose listing is much longer than what the kernel keeps of it for a client that does not read.
  init() throws {
    vault = try AgentVault()
    try vault.withStore { store in
      try store.transaction { transaction in
        let secret = try SecretBytes("secret")
        for number in 0..<Self.itemCount {
          var item = SecretItem(identity: ItemIdentity(service: "listed \(number)"))
          item.comment = AttributeValue(String(repeating: "x", count: 200))
          try transaction.add(item, secret: secret)
        }
      }
    }
    agent = try RunningAgent()
    try agent.unlock(vault)
  }

  /// The parts of a listing, and the error that ends it, if one does.
  ///
  /// A lock that comes between two parts is told; one that comes in the middle of a part can only end the connection.
  private func parts(over channel: FrameChannel) throws -> (items: [SecretItem], error: VaultError?)
  {
    var items: [SecretItem] = []
    while true {
      let reply: Reply
      do { reply = try channel.reply() } catch {
        guard error is FrameChannel.Closed || error as? ChannelError == .closed else { throw error }
        return (items, VaultError(.locked))
      }
      switch reply {
      case .listing(let part, let isLast):
        items += part.items
        if isLast { return (items, nil) }
      case .failure(let error): return (items, error)
      default: throw FrameChannel.Closed()
      }
    }
  }

  @Test("a long listing comes in parts, each item once")
  func whole() throws {
    let client = try agent.connect()
    try client.send(Request.items(vault.vaultPath, .all).message)
    let (items, error) = try parts(over: client)
    #expect(error == nil)
    #expect(Set(items.map(\.identity)).count == Self.itemCount + 2)
    #expect(items.count == Self.itemCount + 2)
    #expect(try client.secret(vault, .whenUnlocked) == "secret", "the connection goes on")
  }

  @Test("L-3: a lock during a long listing ends it, and later ones have no item of a locked class")
  func lockDuringListing() throws {
    let client = try agent.connect()
    try client.send(Request.items(vault.vaultPath, .all).message)
    #expect(client.socket.wait(for: POLLIN, until: .now + .seconds(30)))
    // The first parts have been sent, and the agent waits for the client to read them.
    try agent.connect().succeed(.lock(nil))
    let (items, error) = try parts(over: client)
    #expect(error?.code == .locked)
    #expect(items.count < Self.itemCount, "what was on its way when the lock came")
    let later = try agent.connect()
    try later.send(Request.items(vault.vaultPath, .all).message)
    #expect(try parts(over: later).items.map(\.identity) == [.always])
  }

  @Test("L-3: a lock ends a listing that the store has not yet finished")
  func lockDuringScan() throws {
    for _ in 0..<10 {
      let client = try agent.connect()
      try client.send(Request.items(vault.vaultPath, .all).message)
      try agent.connect().succeed(.lock(nil))
      let (items, error) = try parts(over: client)
      // Whichever came first: nothing but the open class, or an end by the lock, and never the whole.
      #expect(error?.code == .locked || items.map(\.identity) == [.always])
      #expect(items.count < Self.itemCount)
      try agent.unlock(vault)
    }
  }

  @Test("L-3: a large secret that a client has not read yet is not sent any further after a lock")
  func lockDuringSecret() throws {
    let big = ItemIdentity(service: "big")
    let secret = try SecretBytes(count: 1 << 20) { $0.update(repeating: 0x78) }
    try vault.withStore { try $0.set(secret, for: big) }
    let client = try agent.connect()
    try client.send(Request.secret(vault.vaultPath, big).message)
    #expect(client.socket.wait(for: POLLIN, until: .now + .seconds(30)))
    try agent.connect().succeed(.lock(nil))
    var received = 0
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(client.socket.number, &part, part.count, 0)
      if count <= 0 { break }
      received += count
    }
    #expect(received > 0 && received < 1 << 20, "what was on its way when the lock came")
  }

  @Test("a client that asks for a listing and does not read it holds up nobody, and is let go")
  func unreadListing() throws {
    let client = try agent.connect()
    try client.send(Request.items(vault.vaultPath, .all).message)
    #expect(client.socket.wait(for: POLLIN, until: .now + .seconds(30)))
    #expect(try agent.connect().secret(vault, .whenUnlocked) == "secret")
    let others = try (0..<15).map { _ in try agent.connect() }
    for other in others { _ = try other.ask(.status(nil)) }
    let last = try agent.connect()
    guard case .status = try last.ask(.status(nil), patience: .seconds(10)) else {
      throw FrameChannel.Closed()
    }
  }
}
