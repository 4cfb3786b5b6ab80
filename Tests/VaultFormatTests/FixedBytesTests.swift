import Testing
import VaultFormat

@Suite("Values of fixed width")
struct FixedBytesTests {
  @Test("a value holds exactly its bytes")
  func exactLength() throws {
    let source = Array(0..<16) as [UInt8]
    let value = try Identifier(source.span)
    #expect(value.array == source)
    #expect(value.hex == "000102030405060708090a0b0c0d0e0f")
  }

  @Test("a value of another length is malformed", arguments: [0, 15, 17])
  func otherLength(count: Int) {
    let source = [UInt8](repeating: 1, count: count)
    #expect(throws: FormatError.malformed) { try Identifier(source.span) }
  }

  @Test("the first differing byte decides the order")
  func order() throws {
    var values: [Digest] = []
    for index in [0, 15, 31] {
      var value = Digest.zero
      value.bytes[index] = 0x80
      values.append(value)
    }
    #expect(values.sorted() == [values[2], values[1], values[0]])
    #expect(!(values[0] < values[0]))
  }

  @Test("equal values have equal hashes, and one bit makes another value")
  func identity() {
    var other = Salt(repeating: 7)
    #expect(Set([other, Salt(repeating: 7)]).count == 1)
    other.bytes[23] ^= 1
    #expect(other != Salt(repeating: 7))
  }
}

@Suite("Reading and writing bytes")
struct ByteTests {
  @Test("integers are big-endian in both directions")
  func integers() throws {
    var output: [UInt8] = []
    output.append(bigEndian: 0x0102 as UInt16)
    output.append(bigEndian: 0x0304_0506 as UInt32)
    output.append(bigEndian: 0x0708_090a_0b0c_0d0e as UInt64)
    #expect(output == Array(1...14))
    #expect(try output.span.integer(at: 0, as: UInt16.self) == 0x0102)
    #expect(try output.span.integer(at: 2, as: UInt32.self) == 0x0304_0506)
    #expect(try output.span.integer(at: 6, as: UInt64.self) == 0x0708_090a_0b0c_0d0e)
  }

  @Test(
    "an integer that does not lie inside is malformed",
    arguments: [-1, 5, 8, Int.min, Int.max]
  )
  func outside(offset: Int) {
    let source = [UInt8](repeating: 0, count: 8)
    #expect(throws: FormatError.malformed) {
      try source.span.integer(at: offset, as: UInt32.self)
    }
  }

  @Test("a length that announces more than there is is malformed", arguments: [4, 5, UInt32.max])
  func announcedLength(length: UInt32) {
    var source: [UInt8] = []
    source.append(bigEndian: length)
    source += [1, 2, 3]
    #expect(throws: FormatError.malformed) { try source.span.lengthPrefixedRange(at: 0) }
  }

  @Test("bytes with a length are found where they lie")
  func lengthPrefixed() throws {
    let content = [7, 8, 9] as [UInt8]
    var output = [0xff] as [UInt8]
    output.append(lengthPrefixed: content.span)
    #expect(output == [0xff, 0, 0, 0, 3, 7, 8, 9])
    #expect(try output.span.lengthPrefixedRange(at: 1) == 5..<8)
  }
}
