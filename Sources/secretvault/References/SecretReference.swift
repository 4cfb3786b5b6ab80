import SecretVault

/// An item named in one word: `secret://SERVICE/ACCOUNT?group=NAME`, percent-encoded as RFC 3986 says.
///
/// A missing account is the empty account. Every other character than those that RFC 3986 allows in a
/// segment of a path must be encoded, a slash within a name too, so that a slip never names another item.
struct SecretReference: Hashable, Sendable {
  /// What every reference begins with.
  static let scheme = Array("secret://".utf8)

  /// What names the item.
  let identity: ItemIdentity

  /// Reads a reference.
  ///
  /// - Throws: A usage failure that does not repeat the text.
  init(_ text: some Collection<UInt8>) throws(Failure) {
    guard text.starts(with: Self.scheme) else {
      throw Self.malformed("does not begin with secret://")
    }
    let parts = text.dropFirst(Self.scheme.count)
      .split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if names.count > 2 { throw Self.malformed("has a second slash, which is %2F within a name") }
    let service = try Self.decoded(names[0])
    if service.isEmpty { throw Self.malformed("names no service") }
    identity = ItemIdentity(
      serviceValue: AttributeValue(data: service),
      account: AttributeValue(data: names.count > 1 ? try Self.decoded(names[1]) : []),
      group: parts.count > 1 ? try Self.group(parts[1]) : nil
    )
  }

  /// Whether bytes, which may be a secret, begin as a reference does.
  static func isBegun(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= scheme.count && scheme.indices.allSatisfy { bytes[$0] == scheme[$0] }
  }

  /// The name in the query, which must be `group=NAME`.
  private static func group(_ query: some Collection<UInt8>) throws(Failure) -> String {
    let key = Array("group=".utf8)
    guard query.starts(with: key), !query.contains(UInt8(ascii: "&")) else {
      throw malformed("has another query than ?group=NAME")
    }
    let name = try decoded(query.dropFirst(key.count))
    guard !name.isEmpty, let text = String(validating: name, as: UTF8.self) else {
      throw malformed("names no group after ?group=")
    }
    return text
  }

  private static func decoded(_ text: some Collection<UInt8>) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { throw malformed("has a % without two hexadecimal digits") }
        bytes.append(high << 4 | low)
      } else if isPlain(byte) {
        bytes.append(byte)
      } else {
        throw malformed("has a character that must be written as % and two digits")
      }
    }
    return bytes
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    Character(Unicode.Scalar(character)).hexDigitValue.map { UInt8($0) }
  }

  /// Whether a byte stands for itself: `pchar` of RFC 3986, section 3.3.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
  }

  private static func malformed(_ fault: String) -> Failure {
    .usage("the reference \(fault); write secret://SERVICE/ACCOUNT, percent-encoded")
  }
}
