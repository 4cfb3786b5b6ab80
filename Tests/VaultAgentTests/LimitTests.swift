import Glibc
import SecretVault
import TestSupport
import Testing
import VaultAgent

@Suite("Limits of time")
struct LimitTests {
  @Test("a vault that is not used is locked, and one that is used is not")
  func idle() throws {
    let vault = try AgentVault()
    let other = try AgentVault()
    var settings = RunningAgent.Settings()
    settings.idle = 1_500
    let agent = try RunningAgent(settings)
    try agent.unlock(vault)
    try agent.unlock(other)
    let client = try agent.connect()
    let start = ContinuousClock.now
    while try client.state(other) == .unlocked {
      #expect(try client.secret(vault, .whenUnlocked) == "secret")
    }
    let elapsed = start.duration(to: .now)
    #expect(elapsed > .milliseconds(1_000) && elapsed < .seconds(4), "\(elapsed)")
    #expect(try client.secret(other, .always) == "always", "the other classes stay")
    #expect(try eventually { try client.state(vault) == .locked })
  }

  @Test("asking for the status moves no limit")
  func statusIsNoUse() throws {
    let vault = try AgentVault()
    var settings = RunningAgent.Settings()
    settings.idle = 1_000
    let agent = try RunningAgent(settings)
    try agent.unlock(vault)
    let client = try agent.connect()
    #expect(try eventually(within: .seconds(10)) { try client.state(vault) == .locked })
  }

  @Test("at the end of its lifetime every key of a vault goes, used or not")
  func lifetime() throws {
    let vault = try AgentVault()
    var settings = RunningAgent.Settings()
    settings.lifetime = 1_500
    let agent = try RunningAgent(settings)
    try agent.unlock(vault)
    var client = try agent.connect()
    let start = ContinuousClock.now
    while try client.state(vault) != nil {
      do { _ = try client.ask(.secret(vault.vaultPath, .always)) } catch is FrameChannel.Closed {
        // The end came while the answer was on its way.
        client = try agent.connect()
      }
    }
    let elapsed = start.duration(to: .now)
    #expect(elapsed > .milliseconds(1_000) && elapsed < .seconds(4), "\(elapsed)")
    #expect(try client.failure(of: .secret(vault.vaultPath, .always)) == .locked)
  }

  @Test("an unlock can ask for limits of its own, and for none")
  func ownLimits() throws {
    let vault = try AgentVault()
    var settings = RunningAgent.Settings()
    settings.idle = 60_000
    let agent = try RunningAgent(settings)
    let client = try agent.connect()
    var request = try vault.unlockRequest(.keyFile(vault.keyFile))
    func limits() throws -> [UInt32?] {
      guard case .status(let vaults) = try client.succeed(.status(nil)), let first = vaults.first
      else { throw FrameChannel.Closed() }
      return [first.secondsUntilIdleLock, first.secondsUntilEnd]
    }
    try client.succeed(.unlock(request))
    #expect(try limits() == [59, nil])
    request.idleSeconds = 0
    request.lifetimeSeconds = 1_000
    try client.succeed(.unlock(request))
    #expect(try limits() == [nil, 999])
    request.idleSeconds = .max
    request.lifetimeSeconds = .max
    try client.succeed(.unlock(request))
    #expect(try limits() == [.max - 1, .max - 1])
  }
}
