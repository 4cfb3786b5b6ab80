// When an item can be used. (Immutable texts, though NSString is not declared Sendable.)

public import Foundation

/// While the vault is unlocked; the default.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlocked: CFString = "ak"

/// From the first unlock on, locked again or not.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"

/// Always; deprecated by Apple.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlways: CFString = "dk"

/// While unlocked, on this device, where a passphrase protects the vault.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString =
  "akpu"

/// While the vault is unlocked, on this device only.
@safe nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"

/// From the first unlock on, on this device only.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString =
  "cku"

/// Always, on this device only; deprecated by Apple.
@safe nonisolated(unsafe) public let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
