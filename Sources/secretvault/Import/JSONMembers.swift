/// The members of a JSON object, asked for by name; the types are checked on the way.
struct JSONMembers {
  /// Where the object begins.
  let offset: Int
  private let members: [(name: EncodedValue, node: JSONNode)]

  /// Takes an object.
  ///
  /// - Throws: A flaw for another value.
  init(_ node: JSONNode) throws(ImportFlaw) {
    guard case .object(let members) = node.value else {
      throw ImportFlaw("the JSON has something else in place of an object", at: node.offset)
    }
    offset = node.offset
    self.members = members
  }

  /// The names and values.
  var all: [(name: EncodedValue, node: JSONNode)] { members }

  /// The member of a name; `nil` where there is none, or it is null.
  ///
  /// - Throws: A flaw where two members have the name.
  func node(_ name: StaticString, in text: Span<UInt8>) throws(ImportFlaw) -> JSONNode? {
    let matches = members.filter { $0.name.equals(name, in: text) }
    if matches.count > 1 {
      throw ImportFlaw("the JSON gives \(name) twice", at: matches[1].node.offset)
    }
    guard let node = matches.first?.node else { return nil }
    if case .null = node.value { return nil }
    return node
  }

  /// A string.
  func string(_ name: StaticString, in text: Span<UInt8>) throws(ImportFlaw) -> EncodedValue? {
    guard let node = try node(name, in: text) else { return nil }
    guard case .string(let value) = node.value else { throw Self.mistyped(name, node) }
    return value
  }

  /// A truth value.
  func bool(_ name: StaticString, in text: Span<UInt8>) throws(ImportFlaw) -> Bool? {
    guard let node = try node(name, in: text) else { return nil }
    guard case .bool(let value) = node.value else { throw Self.mistyped(name, node) }
    return value
  }

  /// A whole number without sign, up to a limit.
  func number<Number: UnsignedInteger & FixedWidthInteger>(
    _ name: StaticString,
    as type: Number.Type,
    in text: Span<UInt8>
  ) throws(ImportFlaw) -> Number? {
    guard let node = try node(name, in: text) else { return nil }
    guard case .number(let range) = node.value,
      let number = Number(String(decoding: text.extracting(range).array, as: UTF8.self))
    else { throw Self.mistyped(name, node) }
    return number
  }

  /// The elements of an array; none where there is none.
  func elements(_ name: StaticString, in text: Span<UInt8>) throws(ImportFlaw) -> [JSONNode] {
    guard let node = try node(name, in: text) else { return [] }
    guard case .array(let elements) = node.value else { throw Self.mistyped(name, node) }
    return elements
  }

  /// An object.
  func object(_ name: StaticString, in text: Span<UInt8>) throws(ImportFlaw) -> JSONMembers? {
    guard let node = try node(name, in: text) else { return nil }
    return try JSONMembers(node)
  }

  private static func mistyped(_ name: StaticString, _ node: JSONNode) -> ImportFlaw {
    ImportFlaw("the JSON has something else in place of the expected \(name)", at: node.offset)
  }
}

extension EncodedValue {
  /// Whether the value is an ASCII text.
  func equals(_ name: StaticString, in text: Span<UInt8>) -> Bool {
    // An escape makes a value longer, never shorter.
    guard range.count >= name.utf8CodeUnitCount else { return false }
    var expected = name.description.utf8.makeIterator()
    var isEqual = true
    forEachByte(in: text) { byte in isEqual = isEqual && expected.next() == byte }
    return isEqual && expected.next() == nil
  }
}
