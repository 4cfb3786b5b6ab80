/// Reads the lines of a keychain dump into entries, in place.
struct KeychainLines {
  private static let attributeLimit = 256

  private var position = 0

  /// Reads the next entry; `nil` at the end.
  ///
  /// - Throws: The first flaw.
  mutating func entry(in text: Span<UInt8>) throws(ImportFlaw) -> KeychainEntry? {
    while position < text.count, peek(in: text).isEmpty { position = end(in: text) }
    guard position < text.count else { return nil }
    guard text.has("keychain: ", at: position) else {
      throw ImportFlaw("the line begins no entry of a keychain", at: position)
    }
    var entry = KeychainEntry(offset: position)
    position = end(in: text)
    while position < text.count, !text.has("keychain: ", at: position) {
      let line = peek(in: text)
      position = end(in: text)
      try read(line, into: &entry, in: text)
    }
    return entry
  }

  private mutating func read(
    _ line: Range<Int>,
    into entry: inout KeychainEntry,
    in text: Span<UInt8>
  ) throws(ImportFlaw) {
    let start = line.lowerBound
    if line.isEmpty || text.has("version: ", at: start) || text.has("attributes:", at: start) {
      return
    }
    if text.has("class: ", at: start) {
      entry.kind = try value(start + 7..<line.upperBound, in: text)
    } else if text.has("data:", at: start), line.count == 5, entry.data == nil {
      guard position < text.count else {
        throw ImportFlaw("the dump ends before the data of the entry", at: start)
      }
      let line = peek(in: text)
      position = end(in: text)
      entry.data = try value(line, in: text) ?? .empty
    } else if text.has("    ", at: start) {
      try readAttribute(text.droppingSpace(line), into: &entry, in: text)
    } else {
      throw ImportFlaw("the line is not known in a keychain dump", at: start)
    }
  }

  /// Reads `"acct"<blob>="alice"` or `0x00000007 <blob>="Name"`.
  private func readAttribute(
    _ line: Range<Int>,
    into entry: inout KeychainEntry,
    in text: Span<UInt8>
  ) throws(ImportFlaw) {
    guard entry.attributes.count < Self.attributeLimit,
      let bracket = text.firstIndex(of: UInt8(ascii: "<"), in: line),
      let sign = text.firstIndex(of: UInt8(ascii: "="), in: bracket..<line.upperBound)
    else { throw ImportFlaw("the line is no attribute of a keychain dump", at: line.lowerBound) }
    var name = line.lowerBound..<bracket
    if name.count > 2, text[bracket - 1] == UInt8(ascii: " ") {
      name = name.lowerBound..<(bracket - 1)
    }
    if name.count > 2, text[name.lowerBound] == UInt8(ascii: "\"") {
      name = (name.lowerBound + 1)..<(name.upperBound - 1)
    }
    if let value = try value((sign + 1)..<line.upperBound, in: text) {
      entry.attributes.append((name, value))
    }
  }

  /// Reads `<NULL>`, `"text"`, or `0xHEX` with the text after it; `nil` for the first.
  private func value(
    _ place: Range<Int>,
    in text: Span<UInt8>
  ) throws(ImportFlaw) -> EncodedValue? {
    let start = place.lowerBound
    let field = start..<(place.last { !text[$0].isSpace }.map { $0 + 1 } ?? start)
    if field.isEmpty { return .empty }
    if text.has("<NULL>", at: start), field.count == 6 { return nil }
    if text.has("0x", at: start) {
      let digits = start + 2
      let end = text.firstIndex(of: UInt8(ascii: " "), in: digits..<field.upperBound)
      let range = digits..<(end ?? field.upperBound)
      let isHexadecimal = range.allSatisfy { text[$0].hexadecimalValue != nil }
      guard isHexadecimal, range.count.isMultiple(of: 2) else {
        throw ImportFlaw("the line has malformed hexadecimal digits", at: start)
      }
      return EncodedValue(range: range, encoding: .hexadecimal)
    }
    // A quote inside is written as it is, so the last one ends the text.
    guard field.count >= 2, text[start] == UInt8(ascii: "\""),
      text[field.upperBound - 1] == UInt8(ascii: "\"")
    else {
      throw ImportFlaw("the line has neither text in quotes nor hexadecimal digits", at: start)
    }
    return EncodedValue(range: (start + 1)..<(field.upperBound - 1), encoding: .octalEscapes)
  }

  /// The line at the position, without its end.
  private func peek(in text: Span<UInt8>) -> Range<Int> {
    let end = text.firstIndex(of: UInt8(ascii: "\n"), in: position..<text.count) ?? text.count
    return position..<end
  }

  /// Where the line after the one at the position begins.
  private func end(in text: Span<UInt8>) -> Int { min(peek(in: text).upperBound + 1, text.count) }
}
