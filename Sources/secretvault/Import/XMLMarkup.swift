/// A reference in XML to a character, by number or by one of the five names that need no document type.
enum XMLReference {
  private static let names: [(StaticString, UInt8)] = [
    ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")), ("&amp;", UInt8(ascii: "&")),
    ("&quot;", UInt8(ascii: "\"")), ("&apos;", UInt8(ascii: "'")),
  ]

  /// Reads the reference whose `&` stands at a place; `nil` where it is none.
  static func read(in text: Span<UInt8>, at offset: Int, before end: Int) -> DecodedPiece? {
    for (name, byte) in names where text.has(name, at: offset) {
      return .byte(byte, end: offset + name.utf8CodeUnitCount)
    }
    guard text.has("&#", at: offset) else { return nil }
    let isHexadecimal = text.has("&#x", at: offset)
    let base: UInt32 = isHexadecimal ? 16 : 10
    let start = offset + (isHexadecimal ? 3 : 2)
    var value: UInt32 = 0
    var index = start
    while index < end, let digit = text[index].hexadecimalValue, digit < base {
      value = value * base + UInt32(digit)
      // Beyond the last character of Unicode; it also keeps the number from growing.
      if value > 0x10FFFF { return nil }
      index += 1
    }
    guard index > start, index < end, text[index] == UInt8(ascii: ";"), isCharacter(value),
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return .scalar(scalar, end: index + 1)
  }

  /// Whether XML 1.0, 2.2, has the character.
  private static func isCharacter(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }
}

/// A comment, an instruction, or the edge of a CDATA section.
enum XMLSection {
  private static let open: StaticString = "<![CDATA["
  private static let close: StaticString = "]]>"

  /// Reads the section whose `<` stands at a place; `nil` where it is none, or has no end.
  static func read(in text: Span<UInt8>, at offset: Int, before end: Int) -> DecodedPiece? {
    if text.has("<!--", at: offset) {
      return text.firstIndex(of: "-->", from: offset + 4).map { .nothing(end: $0 + 3) }
    }
    if text.has("<?", at: offset) {
      return text.firstIndex(of: "?>", from: offset + 2).map { .nothing(end: $0 + 2) }
    }
    guard text.has(open, at: offset) else { return nil }
    let start = offset + open.utf8CodeUnitCount
    return text.firstIndex(of: close, from: start).map { last in
      .lines(start..<last, end: last + close.utf8CodeUnitCount)
    }
  }
}
