// The functions have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// When an item can be used, and what else its use needs.
///
/// Made by ``SecAccessControlCreateWithFlags(_:_:_:_:)``, and equal to another with the same contents.
public final class SecAccessControl: NSObject, Sendable {
  /// The accessibility class: one of the `kSecAttrAccessible…` strings.
  package let protection: String

  /// What the use of the item needs besides.
  package let flags: SecAccessControlCreateFlags

  package init(protection: String, flags: SecAccessControlCreateFlags) {
    self.protection = protection
    self.flags = flags
  }

  /// Whether the other object is an access control with the same contents.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecAccessControl else { return false }
    return protection == other.protection && flags == other.flags
  }

  /// A hash of the contents.
  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(protection)
    hasher.combine(flags.rawValue)
    return hasher.finalize()
  }
}

/// The needs of an access control.
///
/// The numbers are Apple's. All of them can be made; none but the empty set can be stored, since nothing on
/// Linux would ask for them.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  /// The flags as bits.
  public let rawValue: CFOptionFlags

  /// Makes flags from bits.
  public init(rawValue: CFOptionFlags) {
    self.rawValue = rawValue
  }

  /// A fingerprint, a face or the passcode.
  public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)

  /// Any enrolled fingerprint or face.
  public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)

  /// The older name of ``biometryAny``.
  public static let touchIDAny = biometryAny

  /// One of the fingerprints or faces enrolled when the item was made.
  public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)

  /// The older name of ``biometryCurrentSet``.
  public static let touchIDCurrentSet = biometryCurrentSet

  /// The passcode.
  public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)

  /// A watch, or another device of the same person.
  public static let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)

  /// The older name of ``companion``.
  public static let watch = companion

  /// One of the needs is enough.
  public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)

  /// All of the needs must be met.
  public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)

  /// Permits the use of a private key.
  public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)

  /// A password of the application's own.
  public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)

  /// Every flag that has a name.
  static let all: SecAccessControlCreateFlags = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and,
    .privateKeyUsage, .applicationPassword,
  ]
}

/// The accessibility classes that an access control can have.
private let protections: Set<String> = Set(
  [
    kSecAttrAccessibleWhenUnlocked,
    kSecAttrAccessibleAfterFirstUnlock,
    kSecAttrAccessibleAlways,
    kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    kSecAttrAccessibleAlwaysThisDeviceOnly,
  ].map(String.init)
)

/// Makes an access control of an accessibility class and flags.
///
/// - Parameters:
///   - allocator: Without effect.
///   - protection: One of the `kSecAttrAccessible…` values.
///   - flags: What the use of the item needs besides.
///   - error: Set to an error that the caller owns, when there is no result.
/// - Returns: The access control; `nil` where the protection is no accessibility class, a flag has no
///   name, or both ``SecAccessControlCreateFlags/or`` and ``SecAccessControlCreateFlags/and`` are given.
///   The error then has the domain of ``kCFErrorDomainOSStatus`` and the code ``errSecParam``.
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?,
  _ protection: CFTypeRef,
  _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  if let text = protection as? CFString, protections.contains(String(text)),
    flags.isSubset(of: .all), !flags.isSuperset(of: [.or, .and])
  {
    return SecAccessControl(protection: String(text), flags: flags)
  }
  let refusal = NSError(domain: String(kCFErrorDomainOSStatus), code: Int(errSecParam))
  unsafe error?.pointee = unsafe Unmanaged.passRetained(refusal)
  return nil
}
