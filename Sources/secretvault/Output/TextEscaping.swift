/// Names and other text of unknown content, made safe for one line of a terminal.
///
/// A backslash, a tab, a newline, a return and the other control bytes are written `\\ \t \n \r \xHH`,
/// so that the original can be told from the result. Text that is no valid UTF-8, or holds control
/// characters above ASCII, has all its bytes above ASCII written as `\xHH`.
enum TextEscaping {
  /// Escapes text.
  static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }

  /// Escapes bytes.
  static func escaped(_ bytes: [UInt8]) -> String {
    let escaping = ByteEscaping.line(keepsHighBytes: isPrintable(bytes.span))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes { escaping.append(byte, to: &result) }
    return String(decoding: result, as: UTF8.self)
  }

  /// Escapes a word of the command line, in quotes.
  static func quoted(_ word: String) -> String { "\"\(escaped(word))\"" }

  /// Whether the bytes are UTF-8 without control characters other than tab, newline and return.
  static func isPrintable(_ bytes: Span<UInt8>) -> Bool {
    guard let text = try? UTF8Span(validating: bytes) else { return false }
    var scalars = text.makeUnicodeScalarIterator()
    while let scalar = scalars.next() {
      let isLayout = scalar == "\t" || scalar == "\n" || scalar == "\r"
      if scalar.properties.generalCategory == .control, !isLayout { return false }
    }
    return true
  }
}

/// How one byte is written; the same rules serve names in arrays and secrets in locked memory.
enum ByteEscaping {
  /// As ``TextEscaping`` says.
  case line(keepsHighBytes: Bool)
  /// Inside a JSON string (RFC 8259, section 7); the bytes as a whole must be UTF-8.
  case json
  /// Between the single quotes of a shell, which end only at the next one (POSIX, 2.2.2).
  case shell

  /// Appends the byte's form.
  func append(_ byte: UInt8, to result: inout [UInt8]) {
    forEachByte(of: byte) { result.append($0) }
  }

  /// Calls `body` with each byte of the byte's form.
  func forEachByte(of byte: UInt8, _ body: (UInt8) -> Void) {
    switch (self, byte) {
    case (.shell, UInt8(ascii: "'")): for character in "'\\''".utf8 { body(character) }
    case (.shell, _): body(byte)
    case (_, UInt8(ascii: "\\")): Self.pair("\\", body)
    case (_, UInt8(ascii: "\t")): Self.pair("t", body)
    case (_, UInt8(ascii: "\n")): Self.pair("n", body)
    case (_, UInt8(ascii: "\r")): Self.pair("r", body)
    case (.json, UInt8(ascii: "\"")): Self.pair("\"", body)
    case (.json, 0..<0x20), (.json, 0x7F): Self.number("u00", byte, body)
    case (.line, 0..<0x20), (.line, 0x7F), (.line(keepsHighBytes: false), 0x80...):
      Self.number("x", byte, body)
    default: body(byte)
    }
  }

  private static func pair(_ character: Unicode.Scalar, _ body: (UInt8) -> Void) {
    body(UInt8(ascii: "\\"))
    body(UInt8(ascii: character))
  }

  private static func number(_ mark: StaticString, _ byte: UInt8, _ body: (UInt8) -> Void) {
    body(UInt8(ascii: "\\"))
    for character in mark.description.utf8 { body(character) }
    body(hexDigit(byte >> 4))
    body(hexDigit(byte & 0x0F))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
