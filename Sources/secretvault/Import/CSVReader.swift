/// Reads comma-separated values (RFC 4180) in place, one record at a time.
///
/// A quoted field can have commas, quotes and lines in it. What the format leaves open is refused: a quote
/// in a field without quotes, text after a closing quote.
struct CSVReader {
  private static let fieldLimit = 4_000_000

  private var position = 0
  private var fieldCount = 0

  /// Reads the next record and tells where it begins.
  ///
  /// Empty lines are passed over.
  ///
  /// - Returns: `nil` at the end.
  /// - Throws: The first flaw.
  mutating func record(
    in text: Span<UInt8>
  ) throws(ImportFlaw) -> (offset: Int, fields: [EncodedValue])? {
    while skipLineEnd(in: text) {}
    guard position < text.count else { return nil }
    let offset = position
    var fields: [EncodedValue] = []
    while true {
      fieldCount += 1
      guard fieldCount < Self.fieldLimit else {
        throw ImportFlaw("the file has too many fields", at: position)
      }
      fields.append(try field(in: text))
      if position == text.count || skipLineEnd(in: text) { return (offset, fields) }
      guard text[position] == UInt8(ascii: ",") else {
        throw ImportFlaw("there is text after a closing quote", at: position)
      }
      position += 1
    }
  }

  private mutating func field(in text: Span<UInt8>) throws(ImportFlaw) -> EncodedValue {
    if text.has("\"", at: position) { return try quotedField(in: text) }
    let start = position
    while position < text.count, text[position] != UInt8(ascii: ",") {
      switch text[position] {
      case UInt8(ascii: "\""):
        throw ImportFlaw("there is a quote in a field without quotes", at: position)
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        guard isLineEnd(in: text) else {
          throw ImportFlaw("there is a return that ends no line", at: position)
        }
        return EncodedValue(range: start..<position, encoding: .verbatim)
      default: position += 1
      }
    }
    return EncodedValue(range: start..<position, encoding: .verbatim)
  }

  private mutating func quotedField(in text: Span<UInt8>) throws(ImportFlaw) -> EncodedValue {
    position += 1
    let start = position
    while position < text.count {
      if text.has("\"\"", at: position) {
        position += 2
      } else if text[position] == UInt8(ascii: "\"") {
        defer { position += 1 }
        return EncodedValue(range: start..<position, encoding: .doubledQuotes)
      } else {
        position += 1
      }
    }
    throw ImportFlaw("a quoted field has no end", at: start)
  }

  private func isLineEnd(in text: Span<UInt8>) -> Bool {
    text.has("\n", at: position) || text.has("\r\n", at: position)
  }

  private mutating func skipLineEnd(in text: Span<UInt8>) -> Bool {
    guard isLineEnd(in: text) else { return false }
    position += text.has("\n", at: position) ? 1 : 2
    return true
  }
}
