import Dispatch
import Glibc
import SecretVault
import Synchronization
import TestSupport
import Testing
import VaultAgent

@Suite("Programs that follow, and programs that ask a person")
struct FollowingTests {
  private let vault: AgentVault
  private let agent: RunningAgent

  init() throws {
    vault = try AgentVault()
    agent = try RunningAgent()
  }

  /// Waits for the next state and acknowledges it.
  private func nextState(over channel: FrameChannel) throws -> LockState {
    guard case .state(let state, let number) = try channel.reply() else {
      throw FrameChannel.Closed()
    }
    try channel.send(Request.acknowledge(number).message)
    return state
  }

  @Test("a follower is told the state at once and at each change")
  func states() throws {
    let follower = try agent.connect()
    try follower.send(Request.observe(vault.vaultPath).message)
    #expect(try nextState(over: follower) == .beforeFirstUnlock)
    let other = try agent.connect()
    try other.send(Request.unlock(vault.unlockRequest(.keyFile(vault.keyFile))).message)
    #expect(try nextState(over: follower) == .unlocked)
    guard case .done = try other.reply() else { throw FrameChannel.Closed() }
    try other.send(Request.lock(nil).message)
    #expect(try nextState(over: follower) == .locked)
    guard case .done = try other.reply() else { throw FrameChannel.Closed() }
  }

  @Test("a lock waits for the acknowledgements, but for no longer than a second")
  func acknowledgement() throws {
    try agent.unlock(vault)
    let follower = try agent.connect()
    try follower.send(Request.observe(vault.vaultPath).message)
    #expect(try nextState(over: follower) == .unlocked)
    let other = try agent.connect()
    try other.send(Request.lock(nil).message)
    #expect(!other.socket.wait(for: POLLIN, until: .now + .milliseconds(300)), "it waits")
    #expect(try nextState(over: follower) == .locked)
    #expect(other.socket.wait(for: POLLIN, until: .now + .milliseconds(300)))
    guard case .done = try other.reply() else { throw FrameChannel.Closed() }
    try agent.unlock(vault)
    let start = ContinuousClock.now
    guard case .done = try other.ask(.lock(nil)) else { throw FrameChannel.Closed() }
    let elapsed = start.duration(to: .now)
    #expect(elapsed < .seconds(2), "\(elapsed)")
  }

  @Test("a follower that does not acknowledge is dropped")
  func silentFollower() throws {
    let follower = try agent.connect()
    try follower.send(Request.observe(vault.vaultPath).message)
    #expect(try nextState(over: follower) == .beforeFirstUnlock)
    try agent.unlock(vault)
    guard case .state(.unlocked, _) = try follower.reply() else { throw FrameChannel.Closed() }
    #expect(throws: FrameChannel.Closed.self) { try follower.reply() }
  }

  @Test("a follower that acknowledges other states delays a lock for no more than a second")
  func floodingFollower() throws {
    try agent.unlock(vault)
    let follower = try agent.connect()
    try follower.send(Request.observe(vault.vaultPath).message)
    #expect(try nextState(over: follower) == .unlocked)
    // `u32 length | version | kind | u32 number`
    let frame: [UInt8] = [0, 0, 0, 6, 2, 6, 255, 255, 255, 255]
    // Many at once, so that the agent, which reads one by one, never finds the end.
    let frames = Array(repeatElement(frame, count: 1000).joined())
    Self.isFlooding.store(true, ordering: .relaxed)
    let flood = DispatchGroup()
    DispatchQueue.global().async(group: flood) {
      var sent = 0
      while Self.isFlooding.load(ordering: .relaxed) {
        let rest = frames.dropFirst(sent)
        let count = unsafe rest.withUnsafeBytes { bytes in
          unsafe send(
            follower.socket.number,
            bytes.baseAddress,
            bytes.count,
            Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
          )
        }
        sent = (sent + max(0, count)) % frames.count
      }
    }
    // The agent does not read while nothing changes.
    try waitUntil { !follower.socket.wait(for: POLLOUT, until: .now) }
    let other = try agent.connect()
    try other.send(Request.lock(nil).message)
    #expect(other.socket.wait(for: POLLIN, until: .now + .seconds(5)))
    Self.isFlooding.store(false, ordering: .relaxed)
    flood.wait()
  }

  private static let isFlooding = Atomic<Bool>(false)

  @Test("followers occupy no worker, and there are at most 256")
  func manyFollowers() throws {
    let followers = try (0..<256).map { _ in try agent.connect() }
    for follower in followers {
      try follower.send(Request.observe(vault.vaultPath).message)
      #expect(try nextState(over: follower) == .beforeFirstUnlock)
    }
    let last = try agent.connect()
    #expect(try last.failure(of: .observe(vault.vaultPath)) == .limitExceeded)
    guard case .status = try last.ask(.status(nil)) else { throw FrameChannel.Closed() }
  }

  @Test("of many that want to ask one asks, and all learn of the unlock")
  func onePrompt() throws {
    let path = try vault.vaultPath
    let first = try agent.connect()
    guard case .prompt(.ask) = try first.ask(.prompt(path)) else { throw FrameChannel.Closed() }
    let others = try (0..<40).map { _ in try agent.connect() }
    for other in others { try other.send(Request.prompt(path).message) }
    #expect(try agent.connect().state(vault) == nil, "they occupy no worker")
    #expect(!others.contains { $0.socket.wait(for: POLLIN, until: .now) })
    try first.succeed(.unlock(vault.unlockRequest(.keyFile(vault.keyFile))))
    for other in others {
      guard case .prompt(.unlocked) = try other.reply() else { throw FrameChannel.Closed() }
    }
    guard case .prompt(.unlocked) = try first.ask(.prompt(path)) else {
      throw FrameChannel.Closed()
    }
    #expect(try others[7].secret(vault, .whenUnlocked) == "secret", "the connection goes on")
  }

  @Test("a wrong passphrase leaves the turn, and the end of a connection passes it on")
  func nextPrompt() throws {
    let path = try vault.vaultPath
    var first: FrameChannel? = try agent.connect()
    guard case .prompt(.ask)? = try first?.ask(.prompt(path)) else { throw FrameChannel.Closed() }
    let second = try agent.connect()
    try second.send(Request.prompt(path).message)
    let wrong = try vault.unlockRequest(.keyFile(Credential.makeKeyFile()))
    #expect(try first?.failure(of: .unlock(wrong)) == .credentialRejected)
    #expect(!second.socket.wait(for: POLLIN, until: .now + .milliseconds(200)))
    first = nil
    guard case .prompt(.ask) = try second.reply() else { throw FrameChannel.Closed() }
  }

  @Test("who follows with the connection that has the turn passes it on")
  func followerLeavesTurn() throws {
    let path = try vault.vaultPath
    let first = try agent.connect()
    guard case .prompt(.ask) = try first.ask(.prompt(path)) else { throw FrameChannel.Closed() }
    let second = try agent.connect()
    try second.send(Request.prompt(path).message)
    #expect(!second.socket.wait(for: POLLIN, until: .now + .milliseconds(200)))
    try first.send(Request.observe(path).message)
    #expect(try nextState(over: first) == .beforeFirstUnlock)
    guard case .prompt(.ask) = try second.reply(patience: .seconds(10)) else {
      throw FrameChannel.Closed()
    }
  }

  @Test("a turn lasts longer than an idle connection may")
  func longTurn() throws {
    let path = try vault.vaultPath
    let first = try agent.connect()
    guard case .prompt(.ask) = try first.ask(.prompt(path)) else { throw FrameChannel.Closed() }
    #expect(!first.socket.wait(for: POLLIN, until: .now + .seconds(6)), "it stays open")
    try first.succeed(.unlock(vault.unlockRequest(.keyFile(vault.keyFile))))
  }
}
