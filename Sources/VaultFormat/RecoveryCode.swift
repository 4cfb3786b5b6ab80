/// The recovery code of a vault: 25 bytes as eight groups of five letters, joined by hyphens.
///
/// The 25 bytes are random (20) and their check (5). They go from the text into the caller's buffer
/// and back, never through an array or a string.
package enum RecoveryCode {
  /// The length of random bytes and check.
  package static let byteCount = 25

  /// The length of the text in bytes, without a line feed.
  package static let textByteCount = 47

  private static let lettersPerGroup = 5
  private static let hyphen = UInt8(ascii: "-")
  private static let lineFeed = UInt8(ascii: "\n")

  /// Reads a code, with or without one line feed behind it, into a buffer of exactly 25 bytes.
  ///
  /// Case does not matter; I and L are read as 1, O as 0. Throws ``FormatError/malformed`` for any
  /// other text; the buffer is cleared then. The check is compared by the caller.
  package static func decode(
    _ text: Span<UInt8>,
    into code: inout MutableSpan<UInt8>
  ) throws(FormatError) {
    guard code.count == byteCount, isFramed(text) else { throw .malformed }
    var bits = BitQueue()
    var written = 0
    var refusal = 0
    for offset in 0..<textByteCount where !isHyphen(at: offset) {
      let value = TextAlphabet.base32.value(of: text[offset])
      refusal |= value
      bits.push(value & 0x1f, width: TextAlphabet.base32.bitsPerLetter)
      if let byte = bits.pull(width: 8) {
        code[written] = UInt8(truncatingIfNeeded: byte)
        written += 1
      }
    }
    guard refusal >= 0 else {
      code.clear(0..<byteCount)
      throw .malformed
    }
  }

  private static func isFramed(_ text: Span<UInt8>) -> Bool {
    guard text.count == textByteCount || text.count == textByteCount + 1 else { return false }
    for offset in 0..<textByteCount where isHyphen(at: offset) && text[offset] != hyphen {
      return false
    }
    return text.count == textByteCount || text[textByteCount] == lineFeed
  }

  private static func isHyphen(at offset: Int) -> Bool {
    offset % (lettersPerGroup + 1) == lettersPerGroup
  }

  /// Writes exactly 25 bytes as a code, without a line feed, into a buffer of ``textByteCount``.
  ///
  /// Throws ``FormatError/malformed`` if a length is another.
  package static func encode(
    _ code: Span<UInt8>,
    into text: inout MutableSpan<UInt8>
  ) throws(FormatError) {
    guard code.count == byteCount, text.count == textByteCount else { throw .malformed }
    var bits = BitQueue()
    var offset = 0
    for index in 0..<byteCount {
      bits.push(Int(code[index]), width: 8)
      while let value = bits.pull(width: TextAlphabet.base32.bitsPerLetter) {
        if isHyphen(at: offset) {
          text[offset] = hyphen
          offset += 1
        }
        text[offset] = TextAlphabet.base32.letter(for: value)
        offset += 1
      }
    }
  }
}
