/// The one-byte name of an attribute.
package struct AttributeTag: RawRepresentable, Hashable, Comparable, Sendable {
  /// The byte that stands before the value.
  package let rawValue: UInt8

  /// Names an attribute by its byte; 0 names none.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The service of a generic password.
  package static let service = AttributeTag(rawValue: 1)
  /// The account.
  package static let account = AttributeTag(rawValue: 2)
  /// The label that people see.
  package static let label = AttributeTag(rawValue: 3)
  /// Bytes of the application's own.
  package static let generic = AttributeTag(rawValue: 4)
  /// A comment.
  package static let comment = AttributeTag(rawValue: 5)
  /// When the item was made: u64 milliseconds since 1970, earlier is 0.
  package static let created = AttributeTag(rawValue: 6)
  /// When the item was last changed: u64 milliseconds since 1970, earlier is 0.
  package static let modified = AttributeTag(rawValue: 7)
  /// A description of the kind of item.
  package static let itemDescription = AttributeTag(rawValue: 8)
  /// The creator's four-character code: u32.
  package static let creator = AttributeTag(rawValue: 9)
  /// The type's four-character code: u32.
  package static let itemType = AttributeTag(rawValue: 10)
  /// Whether the item is hidden from lists: u8.
  package static let invisible = AttributeTag(rawValue: 11)
  /// Whether the item only says that there is no password: u8.
  package static let negative = AttributeTag(rawValue: 12)
  /// An alias.
  package static let alias = AttributeTag(rawValue: 13)
  /// The access control in serialized form.
  package static let accessControl = AttributeTag(rawValue: 14)
  /// The server of an internet password.
  package static let server = AttributeTag(rawValue: 16)
  /// The security domain of an internet password.
  package static let securityDomain = AttributeTag(rawValue: 17)
  /// The protocol of an internet password.
  package static let networkProtocol = AttributeTag(rawValue: 18)
  /// The authentication type of an internet password.
  package static let authenticationType = AttributeTag(rawValue: 19)
  /// The port of an internet password: u16, 0 if absent.
  package static let port = AttributeTag(rawValue: 20)
  /// The path of an internet password.
  package static let path = AttributeTag(rawValue: 21)
  /// When the item expires: u64 milliseconds since 1970.
  package static let expires = AttributeTag(rawValue: 24)
  /// Whether the item must be confirmed after a restore: u8.
  package static let revalidate = AttributeTag(rawValue: 25)
  /// How many earlier secrets are kept: u8.
  package static let versionsKept = AttributeTag(rawValue: 26)
  /// How many entries the history has: u32.
  package static let historyCount = AttributeTag(rawValue: 27)
  /// Whether the item has no secret at all, as opposed to the empty one: u8.
  package static let noValue = AttributeTag(rawValue: 28)
  /// The form in which attributes were given: pairs of tag and form, ascending.
  package static let forms = AttributeTag(rawValue: 29)
  /// Where the item came from: writer (16 bytes) and u64 counter.
  package static let origin = AttributeTag(rawValue: 30)

  /// The tags that applications may use for attributes of their own.
  package static let applicationTags: ClosedRange<UInt8> = 64...127

  /// Whether a reader that does not know the tag must leave the item alone.
  package var isCritical: Bool { rawValue >= 128 }

  /// The width of the value in bytes, or nil if it varies.
  package var fixedByteCount: Int? {
    switch self {
    case .created, .modified, .expires: 8
    case .creator, .itemType, .historyCount: 4
    case .port: 2
    case .invisible, .negative, .revalidate, .versionsKept, .noValue: 1
    case .origin: 24
    default: nil
    }
  }

  /// The tags that name an item of a kind, in the order of the lookup; empty for an unknown kind.
  package static func identity(ofKind kind: UInt8) -> [AttributeTag] {
    switch kind {
    case 1: genericPasswordIdentity
    case 2: internetPasswordIdentity
    default: []
    }
  }

  private static let genericPasswordIdentity: [AttributeTag] = [.service, .account]
  private static let internetPasswordIdentity: [AttributeTag] = [
    .server, .account, .securityDomain, .networkProtocol, .authenticationType, .port, .path,
  ]

  /// Whether the left tag stands before the right one in a list.
  package static func < (left: AttributeTag, right: AttributeTag) -> Bool {
    left.rawValue < right.rawValue
  }
}
