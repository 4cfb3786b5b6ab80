import Testing
import VaultAgent

@Suite("Frames")
struct FrameTests {
  @Test("a header is the length of what follows, the version and the kind")
  func header() {
    #expect(FrameHeader(kind: 17, bodyByteCount: 0x01_0203).bytes == [0, 1, 2, 5, 2, 17])
  }
}
