import Foundation
import SecretVault

/// The attributes of a client's dictionary, as a class has them.
struct QueryAttributes {
  /// Which items of one name are meant.
  enum Synchronizable {
    case yes
    case no
    case any
  }

  private(set) var values: [ItemAttribute: AttributeValue] = [:]
  private(set) var group: String?
  private(set) var synchronizable: Synchronizable?
  private(set) var protection = Protection()

  /// Whether nothing was given.
  private(set) var isEmpty: Bool

  /// - Throws: `errSecNoSuchAttr` for an attribute that the class does not have, `errSecParam` for a value
  ///   that the attribute cannot have.
  init(_ entries: KeychainEntries, of kind: ItemKind) throws(KeychainError) {
    isEmpty = entries.attributes.isEmpty
    let rules = AttributeRule.rules(of: kind)
    for (key, value) in entries.attributes {
      if let rule = rules[key] {
        values[rule.attribute] = try rule.value(of: value)
      } else {
        try setCommon(key, value)
      }
    }
    try protection.requireAgreement()
  }

  private mutating func setCommon(_ key: String, _ value: Any) throws(KeychainError) {
    switch key {
    case Key.accessGroup: group = try Self.group(value)
    case Key.synchronizable: synchronizable = try Self.synchronizable(value)
    case Key.accessible: protection.accessibility = try Protection.accessibility(value)
    case Key.accessControl: protection.control = try Protection.control(value)
    default: throw KeychainError(errSecNoSuchAttr)
    }
  }

  /// Reads the name of an access group.
  ///
  /// - Throws: `errSecParam` for what is no text.
  static func group(_ value: Any) throws(KeychainError) -> String {
    guard let text = value as? String else { throw .parameter }
    return text
  }

  private static func synchronizable(_ value: Any) throws(KeychainError) -> Synchronizable {
    if value as? String == Key.anySynchronizable { return .any }
    switch try AttributeRule.anyInteger(value) {
    case 0: return .no
    case 1: return .yes
    default: throw .parameter
    }
  }

  /// The accessibility of an item that is stored with these attributes, or `nil` where none was given.
  ///
  /// - Throws: `errSecParam` where the item is to be synchronizable and may not be, `errSecUnimplemented`
  ///   where its use would need a person.
  func storedAccessibility() throws(KeychainError) -> Accessibility? {
    let accessibility = protection.chosen
    if protection.hasConstraints, synchronizable == .yes { throw .parameter }
    if protection.hasConstraints { throw KeychainError(errSecUnimplemented) }
    if synchronizable == .yes, accessibility?.isDeviceBound == true { throw .parameter }
    return accessibility
  }
}
