/// An escape inside a JSON string (RFC 8259, section 7).
enum JSONEscape {
  /// Reads the escape whose backslash stands at a place; `nil` where it is none, or half a surrogate pair.
  static func read(in text: Span<UInt8>, at offset: Int, before end: Int) -> DecodedPiece? {
    guard end - offset >= 2 else { return nil }
    let byte: UInt8
    switch text[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = text[offset + 1]
    case UInt8(ascii: "b"): byte = 0x08
    case UInt8(ascii: "f"): byte = 0x0C
    case UInt8(ascii: "n"): byte = 0x0A
    case UInt8(ascii: "r"): byte = 0x0D
    case UInt8(ascii: "t"): byte = 0x09
    case UInt8(ascii: "u"): return scalar(in: text, at: offset, before: end)
    default: return nil
    }
    return .byte(byte, end: offset + 2)
  }

  private static func scalar(
    in text: Span<UInt8>,
    at offset: Int,
    before end: Int
  ) -> DecodedPiece? {
    guard let first = unit(in: text, at: offset, before: end) else { return nil }
    if let scalar = Unicode.Scalar(first) { return .scalar(scalar, end: offset + 6) }
    guard UTF16.isLeadSurrogate(first), let second = unit(in: text, at: offset + 6, before: end),
      UTF16.isTrailSurrogate(second)
    else { return nil }
    let value = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
    return Unicode.Scalar(value).map { .scalar($0, end: offset + 12) }
  }

  /// The code unit of `\uXXXX`.
  private static func unit(in text: Span<UInt8>, at offset: Int, before end: Int) -> UInt16? {
    guard end - offset >= 6, text[offset] == UInt8(ascii: "\\"),
      text[offset + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt16 = 0
    for index in (offset + 2)..<(offset + 6) {
      guard let digit = text[index].hexadecimalValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
