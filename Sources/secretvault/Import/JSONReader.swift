/// A value of a JSON text (RFC 8259), by its places in the text.
struct JSONNode {
  enum Value {
    case null
    case bool(Bool)
    /// The digits of the number.
    case number(Range<Int>)
    case string(EncodedValue)
    case array([JSONNode])
    case object([(name: EncodedValue, node: JSONNode)])
  }

  /// Where the value begins.
  let offset: Int
  let value: Value
}

/// Parses JSON in place.
///
/// It is strict, and bounded: what is nested deeper than 64 levels or has more than four million values is
/// refused.
struct JSONReader {
  private static let depthLimit = 64
  private static let nodeLimit = 4_000_000

  private var position = 0
  private var nodeCount = 0

  private init() {}

  /// Reads a text that is one value.
  ///
  /// - Throws: The first flaw.
  static func document(in text: Span<UInt8>) throws(ImportFlaw) -> JSONNode {
    try text.requireUTF8()
    var reader = JSONReader()
    let node = try reader.node(in: text, depth: 0)
    reader.skipSpace(in: text)
    guard reader.position == text.count else {
      throw ImportFlaw("there is more after the end of the JSON value", at: reader.position)
    }
    return node
  }

  private mutating func node(in text: Span<UInt8>, depth: Int) throws(ImportFlaw) -> JSONNode {
    skipSpace(in: text)
    nodeCount += 1
    guard depth < Self.depthLimit, nodeCount < Self.nodeLimit else {
      throw ImportFlaw("the JSON has too many values or levels", at: position)
    }
    guard let byte = peek(in: text) else {
      throw ImportFlaw("the JSON ends too early", at: position)
    }
    let offset = position
    let value: JSONNode.Value
    switch byte {
    case UInt8(ascii: "{"): value = .object(try members(in: text, depth: depth + 1))
    case UInt8(ascii: "["): value = .array(try elements(in: text, depth: depth + 1))
    case UInt8(ascii: "\""): value = .string(try string(in: text))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      value = .number(try number(in: text))
    default: value = try word(in: text)
    }
    return JSONNode(offset: offset, value: value)
  }

  private mutating func members(
    in text: Span<UInt8>,
    depth: Int
  ) throws(ImportFlaw) -> [(name: EncodedValue, node: JSONNode)] {
    var members: [(name: EncodedValue, node: JSONNode)] = []
    position += 1
    if skip(UInt8(ascii: "}"), in: text) { return members }
    while true {
      skipSpace(in: text)
      guard peek(in: text) == UInt8(ascii: "\"") else {
        throw ImportFlaw("the JSON lacks the name of a member", at: position)
      }
      let name = try string(in: text)
      guard skip(UInt8(ascii: ":"), in: text) else {
        throw ImportFlaw("the JSON lacks a colon", at: position)
      }
      members.append((name, try node(in: text, depth: depth)))
      if skip(UInt8(ascii: "}"), in: text) { return members }
      guard skip(UInt8(ascii: ","), in: text) else {
        throw ImportFlaw("the JSON lacks a comma or a closing brace", at: position)
      }
    }
  }

  private mutating func elements(
    in text: Span<UInt8>,
    depth: Int
  ) throws(ImportFlaw) -> [JSONNode] {
    var elements: [JSONNode] = []
    position += 1
    if skip(UInt8(ascii: "]"), in: text) { return elements }
    while true {
      elements.append(try node(in: text, depth: depth))
      if skip(UInt8(ascii: "]"), in: text) { return elements }
      guard skip(UInt8(ascii: ","), in: text) else {
        throw ImportFlaw("the JSON lacks a comma or a closing bracket", at: position)
      }
    }
  }

  /// Reads a string and checks its escapes.
  private mutating func string(in text: Span<UInt8>) throws(ImportFlaw) -> EncodedValue {
    position += 1
    let start = position
    while let byte = peek(in: text) {
      switch byte {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return EncodedValue(range: start..<position, encoding: .jsonString)
      case UInt8(ascii: "\\"):
        guard let escape = JSONEscape.read(in: text, at: position, before: text.count) else {
          throw ImportFlaw("a JSON string has an escape that means nothing", at: position)
        }
        position = escape.end
      case 0..<0x20:
        throw ImportFlaw("a JSON string has a control character", at: position)
      default: position += 1
      }
    }
    throw ImportFlaw("a JSON string has no end", at: start)
  }

  private mutating func number(in text: Span<UInt8>) throws(ImportFlaw) -> Range<Int> {
    let start = position
    if peek(in: text) == UInt8(ascii: "-") { position += 1 }
    let startsWithZero = peek(in: text) == UInt8(ascii: "0")
    let digits = skipDigits(in: text)
    var isNumber = digits == 1 || (digits > 1 && !startsWithZero)
    if peek(in: text) == UInt8(ascii: ".") {
      position += 1
      isNumber = skipDigits(in: text) > 0 && isNumber
    }
    if let byte = peek(in: text), byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if let sign = peek(in: text), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        position += 1
      }
      isNumber = skipDigits(in: text) > 0 && isNumber
    }
    guard isNumber else { throw ImportFlaw("a JSON number is malformed", at: start) }
    return start..<position
  }

  private mutating func word(in text: Span<UInt8>) throws(ImportFlaw) -> JSONNode.Value {
    let words: [(StaticString, JSONNode.Value)] = [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
    ]
    for (word, value) in words where text.has(word, at: position) {
      position += word.utf8CodeUnitCount
      return value
    }
    throw ImportFlaw("this is no JSON value", at: position)
  }

  private mutating func skipDigits(in text: Span<UInt8>) -> Int {
    let start = position
    while let byte = peek(in: text), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      position += 1
    }
    return position - start
  }

  /// Passes over space and one byte, and says whether it was there.
  private mutating func skip(_ byte: UInt8, in text: Span<UInt8>) -> Bool {
    skipSpace(in: text)
    guard peek(in: text) == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace(in text: Span<UInt8>) {
    while let byte = peek(in: text), byte.isSpace { position += 1 }
  }

  private func peek(in text: Span<UInt8>) -> UInt8? {
    position < text.count ? text[position] : nil
  }
}
