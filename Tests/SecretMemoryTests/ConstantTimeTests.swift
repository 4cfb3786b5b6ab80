import SecretMemory
import Testing

@Suite("Constant time")
struct ConstantTimeTests {
  @Test("a difference in any one bit is seen")
  func everyBit() {
    let bytes = (0..<32).map { UInt8($0) }
    for bit in 0..<256 {
      var other = bytes
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!areEqual(bytes, other))
    }
    #expect(areEqual(bytes, Array(bytes.reversed().reversed())))
  }

  @Test("sequences of different lengths are different, and two empty ones are equal")
  func lengths() {
    #expect(!areEqual([0], [0, 0]))
    #expect(!areEqual([], [0]))
    #expect(areEqual([], []))
  }

  private func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    ConstantTime.equal(left.span, right.span)
  }

  @Test("a wipe leaves zeros")
  func wipe() {
    var bytes: [UInt8] = [1, 2, 3]
    var span = bytes.mutableSpan
    ConstantTime.wipe(&span)
    #expect(bytes == [0, 0, 0])
    var nothing = MutableSpan<UInt8>()
    ConstantTime.wipe(&nothing)
  }
}
