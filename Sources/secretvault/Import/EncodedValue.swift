import SecretVault

/// A value of an imported file: its place, and how it is written there.
///
/// Whoever finds one has checked that it is well-formed, so that decoding it cannot fail. It is decoded
/// byte by byte, a secret straight into locked memory.
struct EncodedValue {
  /// The ways to write a value.
  enum Encoding {
    case verbatim
    /// In double quotes, with a quote written twice (RFC 4180).
    case doubledQuotes
    /// Inside a JSON string (RFC 8259).
    case jsonString
    /// Inside an XML element without children.
    case xmlContent
    /// Two digits a byte.
    case hexadecimal
    /// With bytes that are not printable written as a backslash and three octal digits.
    case octalEscapes
  }

  /// The place in the file, without what encloses the value.
  let range: Range<Int>
  let encoding: Encoding

  /// The empty value.
  static let empty = EncodedValue(range: 0..<0, encoding: .verbatim)

  /// Calls `body` with each byte of the value.
  func forEachByte(in text: Span<UInt8>, _ body: (UInt8) -> Void) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let piece = piece(at: offset, in: text)
      piece.forEachByte(in: text, body)
      offset = max(piece.end, offset + 1)
    }
  }

  /// Decodes into locked memory.
  ///
  /// - Throws: An error where no locked memory is left.
  func secret(in text: Span<UInt8>) throws -> SecretBytes {
    var count = 0
    forEachByte(in: text) { _ in count += 1 }
    return try SecretBytes(count: count) { target in
      var position = 0
      forEachByte(in: text) { byte in
        target[position] = byte
        position += 1
      }
    }
  }

  /// Decodes what is no secret.
  func bytes(in text: Span<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    forEachByte(in: text) { bytes.append($0) }
    return bytes
  }

  /// Whether there is no byte in the value.
  func isEmpty(in text: Span<UInt8>) -> Bool {
    var isEmpty = true
    forEachByte(in: text) { _ in isEmpty = false }
    return isEmpty
  }

  private func piece(at offset: Int, in text: Span<UInt8>) -> DecodedPiece {
    let plain = DecodedPiece.byte(text[offset], end: offset + 1)
    switch (encoding, text[offset]) {
    case (.verbatim, _): return plain
    // The second quote of a pair is skipped.
    case (.doubledQuotes, UInt8(ascii: "\"")): return .byte(text[offset], end: offset + 2)
    case (.jsonString, UInt8(ascii: "\\")):
      return JSONEscape.read(in: text, at: offset, before: range.upperBound) ?? plain
    case (.xmlContent, UInt8(ascii: "&")):
      return XMLReference.read(in: text, at: offset, before: range.upperBound) ?? plain
    case (.xmlContent, UInt8(ascii: "<")):
      return XMLSection.read(in: text, at: offset, before: range.upperBound) ?? plain
    // XML 1.0, 2.11: every end of a line is read as a newline.
    case (.xmlContent, UInt8(ascii: "\r")):
      let next = offset + 1
      let isPair = next < range.upperBound && text[next] == UInt8(ascii: "\n")
      return .byte(UInt8(ascii: "\n"), end: isPair ? next + 1 : next)
    case (.hexadecimal, _): return HexadecimalPair.read(in: text, at: offset, range) ?? plain
    case (.octalEscapes, UInt8(ascii: "\\")):
      return OctalEscape.read(in: text, at: offset, before: range.upperBound) ?? plain
    default: return plain
    }
  }
}

/// What stands at one place of a value, and where the next begins.
enum DecodedPiece {
  case byte(UInt8, end: Int)
  case scalar(Unicode.Scalar, end: Int)
  /// The bytes of a range, with the ends of its lines as XML reads them.
  case lines(Range<Int>, end: Int)
  case nothing(end: Int)

  /// The place after it.
  var end: Int {
    switch self {
    case .byte(_, let end), .scalar(_, let end), .lines(_, let end), .nothing(let end): end
    }
  }

  /// Calls `body` with each byte.
  func forEachByte(in text: Span<UInt8>, _ body: (UInt8) -> Void) {
    switch self {
    case .byte(let byte, _): body(byte)
    case .scalar(let scalar, _): for unit in scalar.utf8 { body(unit) }
    case .lines(let range, _): Self.forEachByte(ofLines: range, in: text, body)
    case .nothing: break
    }
  }

  /// XML 1.0, 2.11: every end of a line is read as a newline.
  private static func forEachByte(
    ofLines range: Range<Int>,
    in text: Span<UInt8>,
    _ body: (UInt8) -> Void
  ) {
    for index in range {
      let isReturn = text[index] == UInt8(ascii: "\r")
      if isReturn, text.extracting(range).has("\n", at: index + 1 - range.lowerBound) { continue }
      body(isReturn ? UInt8(ascii: "\n") : text[index])
    }
  }
}

/// Two hexadecimal digits.
private enum HexadecimalPair {
  static func read(in text: Span<UInt8>, at offset: Int, _ range: Range<Int>) -> DecodedPiece? {
    guard offset + 1 < range.upperBound, let high = text[offset].hexadecimalValue,
      let low = text[offset + 1].hexadecimalValue
    else { return nil }
    return .byte(high << 4 | low, end: offset + 2)
  }
}

/// A backslash and three octal digits; a backslash without them stands for itself.
private enum OctalEscape {
  static func read(in text: Span<UInt8>, at offset: Int, before end: Int) -> DecodedPiece? {
    guard end - offset >= 4 else { return nil }
    var value = 0
    for index in (offset + 1)...(offset + 3) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(text[index]) else { return nil }
      value = value << 3 | Int(text[index] - UInt8(ascii: "0"))
    }
    return UInt8(exactly: value).map { .byte($0, end: offset + 4) }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit, or `nil` for another character.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
