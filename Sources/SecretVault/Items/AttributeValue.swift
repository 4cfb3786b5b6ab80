/// The value of one attribute: bytes, and the form in which they were given.
///
/// Values are compared byte for byte. A composed and a decomposed é are different, unlike with
/// `String`, and text equals data that has the same bytes, as in Apple's keychain.
public struct AttributeValue: Sendable {
  /// How the caller gave the value, and wants it back.
  public enum Form: UInt8, Hashable, Sendable {
    /// Text; its bytes are UTF-8.
    case text = 0
    /// Bytes of any kind.
    case data = 1
    /// A number, kept as its decimal digits.
    case number = 2
  }

  /// The bytes.
  public let bytes: [UInt8]

  /// How the value was given.
  public let form: Form

  /// Makes a value from text.
  public init(_ text: String) {
    bytes = Array(text.utf8)
    form = .text
  }

  /// Makes a value from bytes of any kind, `Data` for example.
  public init(data: some Sequence<UInt8>) {
    bytes = Array(data)
    form = .data
  }

  package init(bytes: [UInt8], form: Form) {
    self.bytes = bytes
    self.form = form
  }

  /// The value as text, or `nil` where the bytes are no valid UTF-8.
  public var text: String? { String(validating: bytes, as: UTF8.self) }
}

extension AttributeValue: Hashable {
  /// Whether both have the same bytes, whatever their form.
  public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
    left.bytes == right.bytes
  }

  /// Feeds the bytes to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension AttributeValue: ExpressibleByStringLiteral {
  /// Makes a value from text.
  public init(stringLiteral value: String) { self.init(value) }
}
