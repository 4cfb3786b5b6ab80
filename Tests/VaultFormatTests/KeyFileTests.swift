import Testing
import VaultFormat

@Suite("Key files")
struct KeyFileTests {
  private let key = Vectors.keyFileSecret + bytes("6e1f7c1808ebf6c3")

  private func decode(_ line: [UInt8], magic: KeyFile.Magic = .keyFile) throws -> [UInt8] {
    var key = [UInt8](repeating: 0, count: KeyFile.keyByteCount)
    var target = key.mutableSpan
    try KeyFile.decode(line.span, magic: magic, into: &target)
    return key
  }

  private func encode(_ key: [UInt8], magic: KeyFile.Magic = .keyFile) throws -> [UInt8] {
    var line = [UInt8](repeating: 0, count: KeyFile.lineByteCount)
    var target = line.mutableSpan
    try KeyFile.encode(key.span, magic: magic, into: &target)
    return line
  }

  @Test("the line of the vectors holds its key and check")
  func vector() throws {
    #expect(try decode(Vectors.keyFileLine) == key)
    #expect(try decode(Vectors.keyFileLine + [10]) == key)
    #expect(try encode(key) == Vectors.keyFileLine + [10])
  }

  @Test("a device key has a magic of its own")
  func deviceKey() throws {
    let line = try encode(key, magic: .deviceKey)
    #expect(Array(line[..<6]) == Array("VLTD1:".utf8))
    #expect(try decode(line, magic: .deviceKey) == key)
    #expect(throws: FormatError.malformed) { try decode(line, magic: .keyFile) }
    #expect(throws: FormatError.malformed) { try decode(Vectors.keyFileLine, magic: .deviceKey) }
  }

  @Test("any 40 bytes go through a line and back")
  func roundTrip() throws {
    var generator = SmallGenerator(seed: 2)
    for _ in 0..<500 {
      let key = generator.bytes(count: 40)
      #expect(try decode(encode(key)) == key)
    }
  }

  @Test("each letter position accepts the 64 letters of base64 and nothing else")
  func alphabet() throws {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for byte in 0...255 as ClosedRange<UInt8> {
      let line = Vectors.keyFileLine.replacing(at: 20, with: byte)
      if let value = letters.firstIndex(of: byte) {
        let key = try decode(line)
        // The letter at 20 is number 14: the last four bits of byte 10 and two of byte 11.
        #expect(Int(key[10] & 0x0f) << 2 | Int(key[11] >> 6) == value)
        #expect(try encode(key) == line + [10])
      } else {
        #expect(throws: FormatError.malformed) { try decode(line) }
      }
    }
  }

  @Test("bits behind the last byte must be zero")
  func canonical() throws {
    // The last letter is "w" (110000); every other letter with the same first two bits is refused.
    for letter in "xyz0123456789+/".utf8 {
      let line = Vectors.keyFileLine.replacing(at: 59, with: letter)
      #expect(throws: FormatError.malformed) { try decode(line) }
    }
    #expect(try decode(Vectors.keyFileLine.replacing(at: 59, with: UInt8(ascii: "Q"))).last == 0xc1)
  }

  @Test("anything before, behind or instead of the one line is refused")
  func framing() {
    let line = Vectors.keyFileLine
    let refused: [[UInt8]] = [
      [], [10], Array(line.dropLast()), line + [10, 10], line + [13, 10], line + [13], line + [32],
      [32] + line, [10] + line, line + [10] + line, line.replacing(at: 60, with: 65),
      line.replacing(at: 61, with: 65), line.replacing(at: 0, with: UInt8(ascii: "v")),
      line.replacing(at: 4, with: UInt8(ascii: "2")), Array(line[6...]),
    ]
    for bytes in refused {
      #expect(throws: FormatError.malformed) { try decode(bytes) }
    }
  }

  @Test("a refused line leaves nothing in the buffer")
  func cleared() {
    let line = Vectors.keyFileLine.replacing(at: 58, with: UInt8(ascii: "!"))
    var key = [UInt8](repeating: 0, count: 40)
    #expect(throws: FormatError.malformed) {
      var target = key.mutableSpan
      try KeyFile.decode(line.span, magic: .keyFile, into: &target)
    }
    #expect(key.allSatisfy { $0 == 0 })
  }

  @Test("buffers of another length are refused")
  func buffers() {
    let line = Vectors.keyFileLine
    for count in [0, 39, 41] {
      #expect(throws: FormatError.malformed) {
        var key = [UInt8](repeating: 0, count: count)
        var target = key.mutableSpan
        try KeyFile.decode(line.span, magic: .keyFile, into: &target)
      }
      #expect(throws: FormatError.malformed) { try encode(Array(repeating: 0, count: count)) }
    }
  }
}
