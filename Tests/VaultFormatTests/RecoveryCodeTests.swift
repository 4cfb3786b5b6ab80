import Testing
import VaultFormat

@Suite("Recovery codes")
struct RecoveryCodeTests {
  private let code = Array(0x80...0x93) + bytes("f55d182123")

  private func decode(_ text: [UInt8]) throws -> [UInt8] {
    var code = [UInt8](repeating: 0, count: RecoveryCode.byteCount)
    var target = code.mutableSpan
    try RecoveryCode.decode(text.span, into: &target)
    return code
  }

  private func encode(_ code: [UInt8]) throws -> [UInt8] {
    var text = [UInt8](repeating: 0, count: RecoveryCode.textByteCount)
    var target = text.mutableSpan
    try RecoveryCode.encode(code.span, into: &target)
    return text
  }

  @Test("the code of the vectors holds its random bytes and check")
  func vector() throws {
    #expect(try decode(Vectors.recoveryCode) == code)
    #expect(try decode(Vectors.recoveryCode + [10]) == code)
    #expect(try encode(code) == Vectors.recoveryCode)
  }

  @Test("any 25 bytes go through a code and back")
  func roundTrip() throws {
    var generator = SmallGenerator(seed: 3)
    for _ in 0..<500 {
      let code = generator.bytes(count: 25)
      #expect(try decode(encode(code)) == code)
    }
  }

  @Test("case does not matter, I and L are read as 1, O as 0")
  func forgiving() throws {
    let lowercase = Vectors.recoveryCode.map { (65...90).contains($0) ? $0 + 32 : $0 }
    #expect(try decode(lowercase) == code)
    let zeros = Vectors.recoveryCode.map { $0 == UInt8(ascii: "0") ? UInt8(ascii: "O") : $0 }
    #expect(zeros != Vectors.recoveryCode)
    #expect(try decode(zeros) == code)
    for letter in "IiLl".utf8 {
      let one = Vectors.recoveryCode.replacing(at: 0, with: UInt8(ascii: "1"))
      let alike = Vectors.recoveryCode.replacing(at: 0, with: letter)
      #expect(try decode(alike) == decode(one))
    }
  }

  @Test("each letter position accepts the alphabet, its look-alikes and nothing else")
  func alphabet() throws {
    let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    for byte in 0...255 as ClosedRange<UInt8> {
      let text = Vectors.recoveryCode.replacing(at: 0, with: byte)
      var letter = (97...122).contains(byte) ? byte - 32 : byte
      if letter == UInt8(ascii: "I") || letter == UInt8(ascii: "L") {
        letter = UInt8(ascii: "1")
      } else if letter == UInt8(ascii: "O") {
        letter = UInt8(ascii: "0")
      }
      if let value = alphabet.firstIndex(of: letter) {
        #expect(try Int(decode(text)[0] >> 3) == value)
      } else {
        #expect(throws: FormatError.malformed) { try decode(text) }
      }
    }
  }

  @Test("anything but eight groups of five with hyphens is refused")
  func framing() {
    let text = Vectors.recoveryCode
    let refused: [[UInt8]] = [
      [], [10], Array(text.dropLast()), text + [10, 10], text + [13, 10], text + [32], [32] + text,
      text.filter { $0 != UInt8(ascii: "-") }, text.replacing(at: 5, with: UInt8(ascii: " ")),
      text.replacing(at: 41, with: UInt8(ascii: "0")),
      text.replacing(at: 4, with: UInt8(ascii: "-")),
    ]
    for bytes in refused {
      #expect(throws: FormatError.malformed) { try decode(bytes) }
    }
  }

  @Test("a refused code leaves nothing in the buffer")
  func cleared() {
    let text = Vectors.recoveryCode.replacing(at: 46, with: UInt8(ascii: "U"))
    var code = [UInt8](repeating: 0, count: 25)
    #expect(throws: FormatError.malformed) {
      var target = code.mutableSpan
      try RecoveryCode.decode(text.span, into: &target)
    }
    #expect(code.allSatisfy { $0 == 0 })
  }

  @Test("buffers of another length are refused")
  func buffers() {
    let text = Vectors.recoveryCode
    for count in [0, 24, 26] {
      #expect(throws: FormatError.malformed) {
        var code = [UInt8](repeating: 0, count: count)
        var target = code.mutableSpan
        try RecoveryCode.decode(text.span, into: &target)
      }
      #expect(throws: FormatError.malformed) { try encode(Array(repeating: 0, count: count)) }
    }
  }
}
