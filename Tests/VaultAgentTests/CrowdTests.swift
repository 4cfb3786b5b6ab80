import Foundation
import SecretVault
import Synchronization
import TestSupport
import Testing
import VaultAgent

@Suite("Many clients at once")
struct CrowdTests {
  private let vault: AgentVault
  private let agent: RunningAgent

  init() throws {
    vault = try AgentVault()
    agent = try RunningAgent()
    try agent.unlock(vault)
  }

  @Test("a thousand reads by eight processes at once are all answered, and memory stays bounded")
  func thousandReads() throws {
    let base = try agent.kibibytes("RssAnon")
    let readers = try (0..<8).map { _ in
      try ChildProcess(agent.client("read", vault.path, "125"))
    }
    for reader in readers {
      let outcome = try reader.finish()
      #expect(outcome.text == "125\n")
    }
    #expect(try agent.kibibytes("RssAnon") - base < 8 * 1024)
  }

  @Test("two hundred clients at once are all answered, sixteen at a time")
  func twoHundredClients() throws {
    let base = try agent.kibibytes("RssAnon")
    let (path, socketPath) = (try vault.vaultPath, agent.socketPath)
    let served = Mutex(0)
    try Crowd.run(200) {
      let client = try FrameChannel(connectingTo: socketPath)
      let reply = try client.succeed(.secret(path, .whenUnlocked))
      if case .secret(let secret?) = reply, secret.text == "secret" { served.withLock { $0 += 1 } }
    }
    #expect(served.withLock { $0 } == 200)
    #expect(try agent.kibibytes("RssAnon") - base < 8 * 1024)
  }

  @Test("many who write the largest secrets at once are answered or told that memory is short")
  func largeSecrets() throws {
    let (path, socketPath) = (try vault.vaultPath, agent.socketPath)
    let secret = try SecretBytes(count: 1 << 20) { $0[0] = 1 }
    try Crowd.run(16) {
      let client = try FrameChannel(connectingTo: socketPath)
      let identity = ItemIdentity(service: "large")
      let code = try client.failure(
        of: .set(path, identity, ItemChanges(), version: nil, secret)
      )
      #expect([nil, .lockedMemoryExhausted, .busy].contains(code))
    }
    #expect(try agent.connect().secret(vault, .whenUnlocked) == "secret")
  }
}
