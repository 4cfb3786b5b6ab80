import Foundation
import SecretVault
import Synchronization
import TestSupport
import Testing
import VaultAgent

@Suite("A-4: guessing")
struct AttemptTests {
  @Test("A-4: a hundred wrong passphrases over ten connections are tried one after another")
  func hundred() throws {
    let vault = try AgentVault(alsoProtectedBy: [.cheap("right")])
    let agent = try RunningAgent()
    let base = try agent.kibibytes("VmRSS")
    let anonymousBase = try agent.kibibytes("RssAnon")
    let rejected = Mutex(0)
    let refused = Mutex(0)
    let socketPath = agent.socketPath
    try Crowd.run(10) {
      let request = try vault.unlockRequest(.passphrase(SecretBytes("wrong")))
      var left = 10
      while left > 0 {
        let channel = try FrameChannel(connectingTo: socketPath)
        let code = try channel.failure(of: .unlock(request))
        if code == .busy {
          refused.withLock { $0 += 1 }
          // The queue gives no sign when it has room, so who was turned away tries again, as a client would.
          usleep(20_000)
        } else {
          try #require(code == .credentialRejected)
          rejected.withLock { $0 += 1 }
          left -= 1
        }
      }
    }
    #expect(rejected.withLock { $0 } == 100)
    #expect(refused.withLock { $0 } > 0, "at most two attempts wait")
    // One scrypt of this cost takes 32 MiB.
    #expect(try agent.kibibytes("VmHWM") - base < 48 * 1024)
    #expect(try agent.kibibytes("RssAnon") - anonymousBase < 8 * 1024)
    let right = try vault.unlockRequest(.passphrase(SecretBytes("right")))
    try agent.connect().succeed(.unlock(right))
    #expect(try agent.connect().secret(vault, .whenUnlocked) == "secret")
  }

  @Test("A-4: the pause after a rejection doubles up to sixty units, and a success ends it")
  func pauses() throws {
    let vault = try AgentVault()
    var settings = RunningAgent.Settings()
    settings.pauseUnit = 20
    let agent = try RunningAgent(settings)
    // Without scrypt, so that nothing else takes long.
    let wrong = try vault.unlockRequest(.keyFile(Credential.makeKeyFile()))
    // A pause begins when the agent rejects, before the answer is here, so their sum is what can be measured.
    let begin = ContinuousClock.now
    var sum = 0
    for units in [0, 1, 2, 4, 8, 16, 32, 60, 60] {
      sum += units
      #expect(try agent.connect().failure(of: .unlock(wrong)) == .credentialRejected)
      let elapsed = begin.duration(to: .now)
      #expect(elapsed >= .milliseconds(20 * sum), "\(units): \(elapsed)")
    }
    try agent.unlock(vault)
    _ = try agent.connect().failure(of: .unlock(wrong))
    let start = ContinuousClock.now
    _ = try agent.connect().failure(of: .unlock(wrong))
    #expect(start.duration(to: .now) < .milliseconds(20 * 32), "it begins anew")
  }

  @Test("A-4: a rejection delays whoever comes next, on another connection and for another vault")
  func isGlobal() throws {
    let vault = try AgentVault(alsoProtectedBy: [.cheap("right")])
    let other = try AgentVault()
    var settings = RunningAgent.Settings()
    settings.pauseUnit = 1_500
    let agent = try RunningAgent(settings)
    let wrong = try vault.unlockRequest(.passphrase(SecretBytes("wrong")))
    #expect(try agent.connect().failure(of: .unlock(wrong)) == .credentialRejected)
    let start = ContinuousClock.now
    try agent.unlock(other)
    #expect(start.duration(to: .now) > .milliseconds(1_000))
    let afterSuccess = ContinuousClock.now
    try agent.unlock(other)
    #expect(afterSuccess.duration(to: .now) < .milliseconds(1_000), "a success ends the delays")
  }

  @Test("while attempts wait, the agent serves")
  func servesMeanwhile() throws {
    let vault = try AgentVault(alsoProtectedBy: [.cheap("right")])
    var settings = RunningAgent.Settings()
    settings.pauseUnit = 3_000
    let agent = try RunningAgent(settings)
    try agent.unlock(vault)
    let wrong = try vault.unlockRequest(.passphrase(SecretBytes("wrong")))
    #expect(try agent.connect().failure(of: .unlock(wrong)) == .credentialRejected)
    let waiting = try agent.connect()
    try waiting.send(Request.unlock(wrong).message)
    let start = ContinuousClock.now
    #expect(try agent.connect().secret(vault, .whenUnlocked) == "secret")
    try agent.connect().succeed(.lock(nil))
    #expect(try agent.connect().state(vault) == .locked)
    #expect(start.duration(to: .now) < .seconds(2))
  }

  @Test("a lock ends an attempt that waits, and one for another vault goes on")
  func lockEndsAttempt() throws {
    let vault = try AgentVault()
    let other = try AgentVault()
    var settings = RunningAgent.Settings()
    // Long enough for all of this on a busy machine.
    settings.pauseUnit = 8_000
    let agent = try RunningAgent(settings)
    let wrong = try vault.unlockRequest(.keyFile(Credential.makeKeyFile()))
    #expect(try agent.connect().failure(of: .unlock(wrong)) == .credentialRejected)
    let waiting = try [vault, other].map { vault in
      let channel = try agent.connect()
      try channel.send(Request.unlock(vault.unlockRequest(.keyFile(vault.keyFile))).message)
      return channel
    }
    // The agent has taken both requests, and neither gets its turn before the end of the pause.
    #expect(eventually { waiting.allSatisfy { unreadByteCount(of: $0) == 0 } })
    _ = try agent.connect().state(vault)
    try agent.connect().succeed(.lock(vault.vaultPath))
    guard case .failure(let error) = try waiting[0].reply(), case .done = try waiting[1].reply()
    else { throw FrameChannel.Closed() }
    #expect(error.code == .locked)
    #expect(try agent.connect().state(vault) == nil)
    #expect(try agent.connect().state(other) == .unlocked)
  }

  /// How much of what was sent the other side has not read yet.
  private func unreadByteCount(of channel: FrameChannel) -> Int32 {
    var count: Int32 = -1
    let outputQueue: UInt = 0x5411  // SIOCOUTQ, unix(7)
    return unsafe ioctl(channel.socket.number, outputQueue, &count) == 0 ? count : -1
  }
}
