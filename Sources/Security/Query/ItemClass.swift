import Foundation
import SecretVault

extension ItemKind {
  /// The kind of a class.
  ///
  /// - Throws: `errSecUnimplemented` for keys, certificates and identities, `errSecNoSuchClass` for another
  ///   text, `errSecParam` for what is no text.
  init(itemClass value: Any) throws(KeychainError) {
    guard let text = value as? String else { throw .parameter }
    if let kind = ItemKind(classText: text) {
      self = kind
    } else {
      let isKnown = Self.otherClasses.contains(text)
      throw KeychainError(isKnown ? errSecUnimplemented : errSecNoSuchClass)
    }
  }

  /// The kind of a class's text, or `nil` where it is not one of passwords.
  init?(classText text: String) {
    guard let kind = Self.allCases.first(where: { $0.classText == text }) else { return nil }
    self = kind
  }

  /// The class as results and references name it.
  var classText: String {
    switch self {
    case .genericPassword: Self.genericText
    case .internetPassword: Self.internetText
    }
  }

  private static let genericText = String(kSecClassGenericPassword)
  private static let internetText = String(kSecClassInternetPassword)
  private static let otherClasses = [kSecClassCertificate, kSecClassKey, kSecClassIdentity]
    .map(String.init)
}
