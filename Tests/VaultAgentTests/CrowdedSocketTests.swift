import Foundation
import Glibc
import Synchronization
import Testing
import VaultAgent

/// Peers of the same user that keep every connection that the agent serves at a time.
@Suite("A-3: a crowded socket")
struct CrowdedSocketTests {
  private let agent: RunningAgent

  init() throws {
    agent = try RunningAgent()
  }

  @Test(
    "of seventeen silent connections the last waits in the backlog until one is closed for idling"
  )
  func seventeen() throws {
    let silent = try (0..<16).map { _ in try agent.connect() }
    let start = ContinuousClock.now
    let last = try agent.connect()
    try last.send(Request.status(nil).message)
    #expect(!last.socket.wait(for: POLLIN, until: start + .seconds(1)), "it waits")
    guard case .status = try last.reply() else { throw FrameChannel.Closed() }
    let waited = start.duration(to: .now)
    #expect(waited > .seconds(3) && waited < .seconds(8), "\(waited)")
    #expect(silent.allSatisfy { $0.socket.wait(for: POLLIN, until: .now + .seconds(2)) })
  }

  @Test("sixteen clients that ask for something all the time leave room for a seventeenth")
  func polite() throws {
    let isAsking = Mutex(true)
    let socketPath = agent.socketPath
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? Crowd.run(16) {
        while isAsking.withLock({ $0 }) {
          let channel = try FrameChannel(connectingTo: socketPath)
          // It asks again over the same connection until the agent makes room for others.
          while isAsking.withLock({ $0 }), (try? channel.ask(.status(nil))) != nil {
            _ = poll(nil, 0, 50)
          }
        }
      }
      end.signal()
    }
    defer {
      isAsking.withLock { $0 = false }
      end.wait()
    }
    for _ in 0..<5 {
      _ = poll(nil, 0, 100)
      let start = ContinuousClock.now
      guard case .done = try agent.connect().ask(.lock(nil)) else { throw FrameChannel.Closed() }
      #expect(start.duration(to: .now) < .seconds(3))
    }
  }
}
