package import VaultFormat

/// When an item can be used: the keychain's accessibility classes.
///
/// The rule is enforced with keys: the class of an item decides which keys seal it, and a lock wipes
/// the keys of the classes that it closes.
public enum Accessibility: String, Hashable, Sendable, CaseIterable {
  /// While the vault is unlocked (`kSecAttrAccessibleWhenUnlocked`).
  case whenUnlocked
  /// From the first unlock on, also while locked (`kSecAttrAccessibleAfterFirstUnlock`).
  case afterFirstUnlock
  /// As ``whenUnlocked``, and only with this device's key
  /// (`kSecAttrAccessibleWhenUnlockedThisDeviceOnly`).
  case whenUnlockedThisDeviceOnly
  /// As ``afterFirstUnlock``, and only with this device's key
  /// (`kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`).
  case afterFirstUnlockThisDeviceOnly
  /// As ``whenUnlockedThisDeviceOnly``, and only as long as the vault has a passphrase; removing the
  /// last passphrase deletes the item (`kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly`).
  case whenPasscodeSetThisDeviceOnly

  /// Whether the class needs this device's key.
  public var isDeviceBound: Bool { classByte.isDeviceBound }
}

extension Accessibility {
  package var classByte: ClassByte {
    switch self {
    case .whenUnlocked: .whenUnlocked
    case .afterFirstUnlock: .afterFirstUnlock
    case .whenUnlockedThisDeviceOnly: .whenUnlockedThisDeviceOnly
    case .afterFirstUnlockThisDeviceOnly: .afterFirstUnlockThisDeviceOnly
    case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSetThisDeviceOnly
    }
  }

  package init(_ classByte: ClassByte) {
    self =
      switch classByte {
      case .whenUnlocked: .whenUnlocked
      case .afterFirstUnlock: .afterFirstUnlock
      case .whenUnlockedThisDeviceOnly: .whenUnlockedThisDeviceOnly
      case .afterFirstUnlockThisDeviceOnly: .afterFirstUnlockThisDeviceOnly
      case .whenPasscodeSetThisDeviceOnly: .whenPasscodeSetThisDeviceOnly
      }
  }
}
