import Glibc
import Testing
import VaultAgent

@Suite("Frames")
struct FrameTests {
  @Test("a header is the length of what follows, the version and the kind")
  func header() {
    #expect(FrameHeader(kind: 17, bodyByteCount: 0x01_0203).bytes == [0, 1, 2, 5, 2, 17])
  }

  @Test("a frame that went out or came in whole is no failure, although its time is over")
  func lateFrame() throws {
    // As after the machine has slept, or the process was stopped: who is told that nothing went out sends it again.
    var ends: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let channels = ends.map { FrameChannel(Descriptor($0)) }
    let past = ContinuousClock.now - .seconds(1)
    try channels[0].send(Request.status(nil).message, until: past)
    let received = try channels[1].receive(until: .now + .seconds(1), wholeBy: past) { _ in 64 }
    guard let frame = received else { throw FrameChannel.Closed() }
    let kind = frame.header.kind
    #expect(kind == Operation.status.rawValue)
  }
}
