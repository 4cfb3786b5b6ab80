import Foundation
import SecretVault

/// When an item can be used, by its class or by an access control.
struct Protection {
  var accessibility: Accessibility?
  var control: SecAccessControl?

  /// The class that either of them names.
  var chosen: Accessibility? { accessibility ?? controlled }

  /// Whether the use would need a person.
  var hasConstraints: Bool { control.map { !$0.flags.isEmpty } ?? false }

  private var controlled: Accessibility? { control.flatMap { Self.classes[$0.protection] } }

  /// - Throws: `errSecParam` where both are given and name different classes.
  func requireAgreement() throws(KeychainError) {
    guard let accessibility, control != nil else { return }
    if accessibility != controlled { throw .parameter }
  }

  /// Reads an accessibility class.
  ///
  /// - Throws: `errSecParam` for another value.
  static func accessibility(_ value: Any) throws(KeychainError) -> Accessibility {
    guard let text = value as? String, let found = classes[text] else { throw .parameter }
    return found
  }

  /// Reads an access control.
  ///
  /// - Throws: `errSecParam` for another object.
  static func control(_ value: Any) throws(KeychainError) -> SecAccessControl {
    guard let control = value as? SecAccessControl else { throw .parameter }
    return control
  }

  /// The classes by their texts.
  ///
  /// Nothing in a vault can be read before its first unlock, so the two classes that could are kept as the
  /// nearest stricter ones.
  private static let classes: [String: Accessibility] = [
    String(kSecAttrAccessibleWhenUnlocked): .whenUnlocked,
    String(kSecAttrAccessibleAfterFirstUnlock): .afterFirstUnlock,
    String(kSecAttrAccessibleAlways): .afterFirstUnlock,
    String(kSecAttrAccessibleWhenUnlockedThisDeviceOnly): .whenUnlockedThisDeviceOnly,
    String(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly): .afterFirstUnlockThisDeviceOnly,
    String(kSecAttrAccessibleAlwaysThisDeviceOnly): .afterFirstUnlockThisDeviceOnly,
    String(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly): .whenPasscodeSetThisDeviceOnly,
  ]
}

extension Accessibility {
  /// The text of the class.
  var constant: CFString {
    switch self {
    case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
    case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
    case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
    }
  }
}
