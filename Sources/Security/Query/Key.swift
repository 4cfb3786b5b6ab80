import Foundation

/// The keys and values of the dictionaries as Swift's text, which is quicker to compare than Foundation's.
enum Key {
  static let itemClass = String(kSecClass)
  static let dataProtection = String(kSecUseDataProtectionKeychain)

  static let accessGroup = String(kSecAttrAccessGroup)
  static let synchronizable = String(kSecAttrSynchronizable)
  static let anySynchronizable = String(kSecAttrSynchronizableAny)
  static let accessible = String(kSecAttrAccessible)
  static let accessControl = String(kSecAttrAccessControl)

  static let valueData = String(kSecValueData)
  static let valuePersistentRef = String(kSecValuePersistentRef)

  static let returnData = String(kSecReturnData)
  static let returnAttributes = String(kSecReturnAttributes)
  static let returnRef = String(kSecReturnRef)
  static let returnPersistentRef = String(kSecReturnPersistentRef)

  static let limit = String(kSecMatchLimit)
  static let limitOne = String(kSecMatchLimitOne)
  static let limitAll = String(kSecMatchLimitAll)
  static let caseInsensitive = String(kSecMatchCaseInsensitive)
  /// What is about certificates, or about lists of references.
  static let foreignMatches: Set<String> = Set(
    [
      kSecMatchItemList, kSecMatchSearchList, kSecMatchPolicy, kSecMatchIssuers,
      kSecMatchEmailAddressIfPresent, kSecMatchSubjectContains, kSecMatchTrustedOnly,
      kSecMatchValidOnDate,
    ]
    .map(String.init)
  )
}

/// Reads a truth value; a number is none, whatever it is.
func truthValue(_ value: Any) -> Bool? {
  // A number converts to Bool as well, so the type decides.
  type(of: value) == Bool.self ? value as? Bool : nil
}
