import Glibc
import SecretVault
import TestSupport
import Testing
import VaultAgent

/// Peers of the same user that keep to no rule; the agent must neither trap nor hang nor grow.
@Suite("A-3: hostile frames")
struct HostileFrameTests {
  private let agent: RunningAgent
  private let idlePatience = Duration.seconds(5)

  init() throws {
    agent = try RunningAgent()
  }

  /// Sends bytes as they are.
  private func send(_ bytes: [UInt8], over channel: FrameChannel) {
    unsafe Glibc.send(channel.socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads until the agent closes the connection, and says what came before.
  private func answer(over channel: FrameChannel, within limit: Duration) throws -> [UInt8] {
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    let deadline = ContinuousClock.now + limit
    while true {
      guard channel.socket.wait(for: POLLIN, until: deadline) else { throw DeadlineExceeded() }
      let count = unsafe recv(channel.socket.number, &part, part.count, 0)
      if count <= 0 { return answer }
      answer += part.prefix(count)
    }
  }

  private func requireAlive() throws {
    guard case .status = try agent.connect().ask(.status(nil)) else { throw FrameChannel.Closed() }
  }

  /// `u32 length | version | kind`, and then the body.
  private func frame(length: UInt32, version: UInt8 = 2, kind: UInt8, body: [UInt8]) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + [version, kind] + body
  }

  @Test(
    "a length that its operation does not allow ends the connection at once",
    arguments: [
      (0, 1), (1, 1), (65_539, 1), (UInt32.max, 1), (UInt32.max, 21), (65_539, 200),
      (1_146_883, 22),
    ] as [(UInt32, UInt8)]
  )
  func invalidLength(_ length: UInt32, _ kind: UInt8) throws {
    let channel = try agent.connect()
    send(frame(length: length, kind: kind, body: []), over: channel)
    #expect(try answer(over: channel, within: .seconds(3)).isEmpty)
    try requireAlive()
  }

  @Test(
    "a whole frame that cannot be understood is answered by an error, and ends the connection",
    arguments: [
      (1, 1, [0]), (3, 1, [0]),  // other versions
      (2, 0, [0]), (2, 99, [0]), (2, 255, []),  // unknown operations
      (2, 1, []), (2, 1, [0, 0]), (2, 1, [2]),  // a body that is too short, too long, or no flag
      (2, 1, [1, 255, 255, 255, 255]),  // a length that points outside
      (2, 1, [1, 0, 0, 0, 1, 0x61]),  // a path that is not absolute
      (2, 17, [0, 0, 0, 2, 0x2F, 0x61] + [UInt8](repeating: 255, count: 200)),  // no item
      (2, 130, [1]),  // a reply
    ] as [(UInt8, UInt8, [UInt8])]
  )
  func malformed(_ version: UInt8, _ kind: UInt8, _ body: [UInt8]) throws {
    let channel = try agent.connect()
    let length = UInt32(body.count + 2)
    send(frame(length: length, version: version, kind: kind, body: body), over: channel)
    guard case .failure(let error) = try channel.reply() else { throw FrameChannel.Closed() }
    #expect(error.code == .invalidArgument)
    #expect(try answer(over: channel, within: .seconds(3)).isEmpty)
    try requireAlive()
  }

  @Test("an acknowledgement of nothing ends the connection")
  func strayAcknowledgement() throws {
    let channel = try agent.connect()
    try channel.send(Request.acknowledge(7).message)
    #expect(try answer(over: channel, within: .seconds(3)).isEmpty)
    try requireAlive()
  }

  @Test("a frame that comes drop by drop is given up after five seconds from its first byte")
  func slowFrame() throws {
    let channel = try agent.connect()
    let start = ContinuousClock.now
    var drops = 0
    send([0, 0, 0, 100, 1, 1], over: channel)
    while !channel.socket.wait(for: POLLIN, until: .now + .milliseconds(200)) {
      send([0], over: channel)
      drops += 1
      guard drops < 60 else { throw DeadlineExceeded() }
    }
    let elapsed = start.duration(to: .now)
    #expect(elapsed > .seconds(4) && elapsed < .seconds(7), "\(elapsed)")
    try requireAlive()
  }

  @Test("a truncated frame of a client that has closed its side ends the connection at once")
  func halfClosed() throws {
    let channel = try agent.connect()
    send([0, 0, 0, 100, 1, 1, 7], over: channel)
    shutdown(channel.socket.number, Int32(SHUT_WR))
    #expect(try answer(over: channel, within: .seconds(3)).isEmpty)
    try requireAlive()
  }

  @Test("a request of a client that has closed its side is still answered")
  func halfClosedAfterRequest() throws {
    let channel = try agent.connect()
    try channel.send(Request.status(nil).message)
    shutdown(channel.socket.number, Int32(SHUT_WR))
    guard case .status(let vaults) = try channel.reply() else { throw FrameChannel.Closed() }
    #expect(vaults.isEmpty)
  }

  @Test("random frames end in an error or a closed connection, and leave no memory behind")
  func randomFrames() throws {
    let before = try agent.kibibytes("RssAnon")
    var generator = SystemRandomNumberGenerator()
    for round in 0..<600 {
      let channel = try agent.connect()
      let count = Int.random(in: 0...400, using: &generator)
      let body = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let kinds = Operation.allCases.map(\.rawValue).filter { $0 != Operation.unlock.rawValue }
      let kind = kinds[round % kinds.count]
      send(frame(length: UInt32(count + 2), kind: kind, body: body), over: channel)
      shutdown(channel.socket.number, Int32(SHUT_WR))
      _ = try answer(over: channel, within: .seconds(10))
    }
    try requireAlive()
    #expect(try agent.kibibytes("RssAnon") - before < 8 * 1024)
  }

  @Test("large frames that end too early are held one a connection, and given back")
  func largeFrames() throws {
    let before = try agent.kibibytes("RssAnon")
    for _ in 0..<5 {
      let channels = try (0..<16).map { _ in try agent.connect() }
      let start = frame(length: UInt32(FrameLimit.large), kind: 21, body: [])
      for channel in channels {
        send(start + [UInt8](repeating: 1, count: 100_000), over: channel)
        shutdown(channel.socket.number, Int32(SHUT_WR))
      }
      for channel in channels { _ = try answer(over: channel, within: .seconds(10)) }
    }
    try requireAlive()
    #expect(try agent.kibibytes("RssAnon") - before < 8 * 1024)
    #expect(try agent.kibibytes("VmLck") < 4 * 1024)
  }
}
