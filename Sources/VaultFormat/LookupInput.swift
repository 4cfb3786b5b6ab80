/// What names an item inside its group: the bytes that the lookup function is fed after its label.
///
/// Layout: kind, synchronizable (0 or 1), then each identity attribute of the kind with a 32-bit
/// length. An absent attribute is empty, an absent port is 0.
package struct LookupInput: Hashable, Sendable {
  /// 1 generic password, 2 internet password.
  package let kind: UInt8

  /// Whether the item may leave for other machines.
  package let isSynchronizable: Bool

  /// The values of the identity attributes, in the order of ``AttributeTag/identity(ofKind:)``.
  package private(set) var parts: [[UInt8]]

  private static let genericPassword: UInt8 = 1
  private static let internetPassword: UInt8 = 2

  /// Names a generic password.
  package init(service: [UInt8], account: [UInt8], isSynchronizable: Bool) {
    kind = Self.genericPassword
    self.isSynchronizable = isSynchronizable
    parts = [service, account]
  }

  /// Names an internet password; what is absent is empty, and an absent port is 0.
  package init(
    server: [UInt8],
    account: [UInt8],
    securityDomain: [UInt8],
    networkProtocol: [UInt8],
    authenticationType: [UInt8],
    port: UInt16,
    path: [UInt8],
    isSynchronizable: Bool
  ) {
    kind = Self.internetPassword
    self.isSynchronizable = isSynchronizable
    var portBytes: [UInt8] = []
    portBytes.append(bigEndian: port)
    parts = [
      server, account, securityDomain, networkProtocol, authenticationType, portBytes, path,
    ]
  }

  /// Splits the bytes back into their parts.
  ///
  /// Throws ``FormatError/unsupportedVersion`` for another kind, and ``FormatError/malformed``
  /// for anything else that ``bytes`` would not write.
  package init(parsing bytes: Span<UInt8>) throws(FormatError) {
    let kind: UInt8 = try bytes.integer(at: 0)
    let synchronizable: UInt8 = try bytes.integer(at: 1)
    let tags = AttributeTag.identity(ofKind: kind)
    guard !tags.isEmpty else { throw .unsupportedVersion }
    guard synchronizable <= 1 else { throw .malformed }
    var parts: [[UInt8]] = []
    var offset = 2
    for tag in tags {
      let range = try bytes.lengthPrefixedRange(at: offset)
      guard range.count <= Limits.attributeValueByteCount,
        tag.fixedByteCount.map({ $0 == range.count }) ?? true
      else { throw .malformed }
      parts.append(try bytes.array(in: range))
      offset = range.upperBound
    }
    guard offset == bytes.count else { throw .malformed }
    self.kind = kind
    isSynchronizable = synchronizable == 1
    self.parts = parts
  }

  /// The bytes that the lookup function is fed.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(parts.reduce(2) { $0 + 4 + $1.count })
    append(to: &output)
    return output
  }

  /// Writes the bytes at the end of an array.
  package func append(to output: inout [UInt8]) {
    Self.append(kind: kind, isSynchronizable: isSynchronizable, to: &output)
    for part in parts {
      output.append(lengthPrefixed: part.span)
    }
  }

  /// The identity attributes, to be written into the item's list.
  package var attributes: [(AttributeTag, [UInt8])] {
    Array(zip(AttributeTag.identity(ofKind: kind), parts))
  }

  /// Writes the bytes for an item whose attribute list was opened, to be compared with its claim.
  ///
  /// Throws ``FormatError/unsupportedVersion`` for a kind without a lookup of its own, and
  /// ``FormatError/malformed`` if the list lacks an identity attribute.
  package static func append(
    attributes list: Span<UInt8>,
    kind: UInt8,
    isSynchronizable: Bool,
    to output: inout [UInt8]
  ) throws(FormatError) {
    let tags = AttributeTag.identity(ofKind: kind)
    guard !tags.isEmpty else { throw .unsupportedVersion }
    append(kind: kind, isSynchronizable: isSynchronizable, to: &output)
    for tag in tags {
      guard let range = AttributeCoding.range(of: tag, in: list) else { throw .malformed }
      output.append(lengthPrefixed: list.extracting(range))
    }
  }

  /// The same name with another value for one of its parts; without change if the tag is none of them.
  package func replacing(_ tag: AttributeTag, with value: [UInt8]) -> LookupInput {
    var copy = self
    for (index, known) in AttributeTag.identity(ofKind: kind).enumerated() where known == tag {
      copy.parts[index] = value
    }
    return copy
  }

  private static func append(kind: UInt8, isSynchronizable: Bool, to output: inout [UInt8]) {
    output.append(kind)
    output.append(isSynchronizable ? 1 : 0)
  }
}
