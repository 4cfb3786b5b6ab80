/// The one line of a key file or device key file: a magic and 40 bytes in base64.
///
/// The 40 bytes are the key (32) and its check (8). They go from the line into the caller's buffer
/// and back, never through an array or a string.
package enum KeyFile {
  /// What kind of key a line holds.
  package enum Magic: String, Sendable {
    /// A key file, one factor of a slot.
    case keyFile = "VLTK1:"
    /// The key of a device.
    case deviceKey = "VLTD1:"
  }

  /// The length of key and check in bytes.
  package static let keyByteCount = 40

  /// The length in bytes of a line with its line feed.
  package static let lineByteCount = magicByteCount + letterCount + paddingByteCount + 1

  private static let magicByteCount = 6
  private static let letterCount = 54
  private static let paddingByteCount = 2
  private static let equalsSign = UInt8(ascii: "=")
  private static let lineFeed = UInt8(ascii: "\n")

  /// Reads a line, with or without its line feed, into a buffer of exactly 40 bytes.
  ///
  /// Throws ``FormatError/malformed`` unless the line is the only spelling of its bytes; the buffer
  /// is cleared then. The check is compared by the caller.
  package static func decode(
    _ line: Span<UInt8>,
    magic: Magic,
    into key: inout MutableSpan<UInt8>
  ) throws(FormatError) {
    guard key.count == keyByteCount, isFramed(line, by: magic) else { throw .malformed }
    var bits = BitQueue()
    var written = 0
    var refusal = 0
    for offset in magicByteCount..<(magicByteCount + letterCount) {
      let value = TextAlphabet.base64.value(of: line[offset])
      refusal |= value
      bits.push(value & 0x3f, width: TextAlphabet.base64.bitsPerLetter)
      if let byte = bits.pull(width: 8) {
        key[written] = UInt8(truncatingIfNeeded: byte)
        written += 1
      }
    }
    guard refusal >= 0, bits.remainder == 0 else {
      key.clear(0..<keyByteCount)
      throw .malformed
    }
  }

  private static func isFramed(_ line: Span<UInt8>, by magic: Magic) -> Bool {
    guard line.count == lineByteCount || line.count == lineByteCount - 1 else { return false }
    var offset = 0
    for byte in magic.rawValue.utf8 {
      guard line[offset] == byte else { return false }
      offset += 1
    }
    let padding = magicByteCount + letterCount
    return line[padding] == equalsSign && line[padding + 1] == equalsSign
      && (line.count < lineByteCount || line[lineByteCount - 1] == lineFeed)
  }

  /// Writes the line of exactly 40 bytes, with its line feed, into a buffer of ``lineByteCount``.
  ///
  /// Throws ``FormatError/malformed`` if a length is another.
  package static func encode(
    _ key: Span<UInt8>,
    magic: Magic,
    into line: inout MutableSpan<UInt8>
  ) throws(FormatError) {
    guard key.count == keyByteCount, line.count == lineByteCount else { throw .malformed }
    var offset = 0
    for byte in magic.rawValue.utf8 {
      line[offset] = byte
      offset += 1
    }
    var bits = BitQueue()
    let width = TextAlphabet.base64.bitsPerLetter
    for index in 0..<keyByteCount {
      bits.push(Int(key[index]), width: 8)
      while let value = bits.pull(width: width) {
        line[offset] = TextAlphabet.base64.letter(for: value)
        offset += 1
      }
    }
    line[offset] = TextAlphabet.base64.letter(for: bits.remainder << (width - bits.count))
    line[offset + 1] = equalsSign
    line[offset + 2] = equalsSign
    line[offset + 3] = lineFeed
  }
}
