import Foundation
import SecretVault

/// What an attribute is, and what values it can have.
struct AttributeRule: Sendable {
  /// What values there are.
  enum Kind: Sendable {
    /// Text, bytes or a number, which comes back as it was given.
    case blob
    /// A number of a fixed width.
    case number
    /// A number, or text that is none, such as the four letters of a protocol.
    case code
    /// A moment.
    case date
  }

  let key: String
  let attribute: ItemAttribute
  let kind: Kind

  private init(_ key: CFString, _ attribute: ItemAttribute, _ kind: Kind = .blob) {
    self.key = String(key)
    self.attribute = attribute
    self.kind = kind
  }

  /// The rules of a class by their keys.
  static func rules(of kind: ItemKind) -> [String: AttributeRule] {
    kind == .genericPassword ? genericPassword : internetPassword
  }

  private static let genericPassword = table([
    AttributeRule(kSecAttrService, .service),
    AttributeRule(kSecAttrGeneric, .generic),
  ])

  private static let internetPassword = table([
    AttributeRule(kSecAttrServer, .server),
    AttributeRule(kSecAttrSecurityDomain, .securityDomain),
    AttributeRule(kSecAttrProtocol, .networkProtocol, .code),
    AttributeRule(kSecAttrAuthenticationType, .authenticationType),
    AttributeRule(kSecAttrPort, .port, .number),
    AttributeRule(kSecAttrPath, .path),
  ])

  private static let common = [
    AttributeRule(kSecAttrAccount, .account),
    AttributeRule(kSecAttrLabel, .label),
    AttributeRule(kSecAttrDescription, .itemDescription),
    AttributeRule(kSecAttrComment, .comment),
    AttributeRule(kSecAttrAlias, .alias),
    AttributeRule(kSecAttrCreator, .creator, .number),
    AttributeRule(kSecAttrType, .itemType, .number),
    AttributeRule(kSecAttrIsInvisible, .isInvisible, .number),
    AttributeRule(kSecAttrIsNegative, .isNegative, .number),
    AttributeRule(kSecAttrCreationDate, .created, .date),
    AttributeRule(kSecAttrModificationDate, .modified, .date),
  ]

  private static func table(_ own: [AttributeRule]) -> [String: AttributeRule] {
    Dictionary(uniqueKeysWithValues: (common + own).map { ($0.key, $0) })
  }
}
