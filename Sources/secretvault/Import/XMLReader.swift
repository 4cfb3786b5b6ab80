/// An element of an XML text, by its places in the text.
struct XMLElement {
  /// Where the element begins.
  let offset: Int
  let name: Range<Int>
  let attributes: [(name: Range<Int>, value: EncodedValue)]
  fileprivate(set) var children: [XMLElement] = []
  /// What is between the tags; text only where there are no children.
  fileprivate(set) var content: EncodedValue = .empty
}

/// Parses XML 1.0 in place: elements, attributes, text, CDATA, comments, references.
///
/// It is bounded: what is nested deeper than 128 levels or has more than four million elements is refused,
/// and so is a document type, with which a small text could grow large.
struct XMLReader {
  private static let depthLimit = 128
  private static let elementLimit = 4_000_000

  private var position = 0
  private var elementCount = 0

  private init() {}

  /// Reads a text that is one document, and returns its root.
  ///
  /// - Throws: The first flaw.
  static func document(in text: Span<UInt8>) throws(ImportFlaw) -> XMLElement {
    try text.requireUTF8()
    var reader = XMLReader()
    try reader.skipMiscellany(in: text)
    guard text.has("<", at: reader.position) else {
      throw ImportFlaw("the XML has no root element", at: reader.position)
    }
    let root = try reader.element(in: text, depth: 0)
    try reader.skipMiscellany(in: text)
    guard reader.position == text.count else {
      throw ImportFlaw("there is more after the end of the XML", at: reader.position)
    }
    return root
  }

  /// Passes over space, comments and instructions around the root.
  private mutating func skipMiscellany(in text: Span<UInt8>) throws(ImportFlaw) {
    skipSpace(in: text)
    while let section = XMLSection.read(in: text, at: position, before: text.count) {
      position = section.end
      skipSpace(in: text)
    }
    if text.has("<!", at: position) {
      throw ImportFlaw("the XML has a document type, which is not accepted", at: position)
    }
  }

  /// Reads an element whose `<` stands at the position.
  private mutating func element(in text: Span<UInt8>, depth: Int) throws(ImportFlaw) -> XMLElement {
    elementCount += 1
    guard depth < Self.depthLimit, elementCount < Self.elementLimit else {
      throw ImportFlaw("the XML has too many elements or levels", at: position)
    }
    let offset = position
    position += 1
    let name = try self.name(in: text)
    let attributes = try self.attributes(in: text)
    var element = XMLElement(offset: offset, name: name, attributes: attributes)
    if text.has("/>", at: position) {
      position += 2
      return element
    }
    guard text.has(">", at: position) else {
      throw ImportFlaw("an XML tag has no end", at: offset)
    }
    position += 1
    let start = position
    try readContent(of: &element, in: text, depth: depth)
    element.content = EncodedValue(range: start..<position, encoding: .xmlContent)
    position += 2
    guard try isEqual(self.name(in: text), name, in: text) else {
      throw ImportFlaw("an XML end tag does not match its start", at: position)
    }
    skipSpace(in: text)
    guard text.has(">", at: position) else {
      throw ImportFlaw("an XML tag has no end", at: position)
    }
    position += 1
    return element
  }

  /// Reads to the `</` of the element.
  private mutating func readContent(
    of element: inout XMLElement,
    in text: Span<UInt8>,
    depth: Int
  ) throws(ImportFlaw) {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "<"):
        if text.has("</", at: position) { return }
        if let section = XMLSection.read(in: text, at: position, before: text.count) {
          position = section.end
        } else {
          element.children.append(try self.element(in: text, depth: depth + 1))
        }
      case UInt8(ascii: "&"): try skipReference(in: text)
      default: try skipCharacter(in: text)
      }
    }
    throw ImportFlaw("an XML element has no end", at: element.offset)
  }

  private mutating func attributes(
    in text: Span<UInt8>
  ) throws(ImportFlaw) -> [(name: Range<Int>, value: EncodedValue)] {
    var attributes: [(name: Range<Int>, value: EncodedValue)] = []
    while true {
      let start = position
      skipSpace(in: text)
      guard position > start, position < text.count, text[position] != UInt8(ascii: "/"),
        text[position] != UInt8(ascii: ">")
      else { return attributes }
      let name = try self.name(in: text)
      skipSpace(in: text)
      guard text.has("=", at: position) else {
        throw ImportFlaw("an XML attribute has no value", at: position)
      }
      position += 1
      skipSpace(in: text)
      attributes.append((name, try quotedValue(in: text)))
    }
  }

  private mutating func quotedValue(in text: Span<UInt8>) throws(ImportFlaw) -> EncodedValue {
    guard text.has("\"", at: position) || text.has("'", at: position) else {
      throw ImportFlaw("an XML attribute has no quotes", at: position)
    }
    let quote = text[position]
    position += 1
    let start = position
    while position < text.count, text[position] != quote {
      switch text[position] {
      case UInt8(ascii: "<"): throw ImportFlaw("an XML attribute has a tag in it", at: position)
      case UInt8(ascii: "&"): try skipReference(in: text)
      default: try skipCharacter(in: text)
      }
    }
    guard position < text.count else { throw ImportFlaw("an XML attribute has no end", at: start) }
    defer { position += 1 }
    return EncodedValue(range: start..<position, encoding: .xmlContent)
  }

  private mutating func skipReference(in text: Span<UInt8>) throws(ImportFlaw) {
    guard let reference = XMLReference.read(in: text, at: position, before: text.count) else {
      throw ImportFlaw("the XML has a reference that means nothing", at: position)
    }
    position = reference.end
  }

  private mutating func skipCharacter(in text: Span<UInt8>) throws(ImportFlaw) {
    guard text[position] >= 0x20 || text[position].isSpace else {
      throw ImportFlaw("the XML has a control character", at: position)
    }
    position += 1
  }

  private mutating func name(in text: Span<UInt8>) throws(ImportFlaw) -> Range<Int> {
    let start = position
    while position < text.count, Self.isNameCharacter(text[position]) { position += 1 }
    guard position > start else { throw ImportFlaw("the XML lacks a name", at: position) }
    return start..<position
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF: true
    default: "-._:".utf8.contains(byte)
    }
  }

  private func isEqual(_ left: Range<Int>, _ right: Range<Int>, in text: Span<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { text[$0] == text[$1] }
  }

  private mutating func skipSpace(in text: Span<UInt8>) {
    while position < text.count, text[position].isSpace { position += 1 }
  }
}
