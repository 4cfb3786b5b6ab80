/// The accessibility class of an item, as the byte that a claim holds.
package enum ClassByte: UInt8, CaseIterable, Sendable {
  /// Readable while the vault is unlocked.
  case whenUnlocked = 0x01

  /// Readable from the first unlock on.
  case afterFirstUnlock = 0x02

  /// Readable while the vault is unlocked, on this device.
  case whenUnlockedThisDeviceOnly = 0x11

  /// Readable from the first unlock on, on this device.
  case afterFirstUnlockThisDeviceOnly = 0x12

  /// Readable while the vault is unlocked and has a passphrase slot, on this device.
  case whenPasscodeSetThisDeviceOnly = 0x13

  /// Whether the keys of the class need the device key too.
  package var isDeviceBound: Bool { rawValue & 0x10 != 0 }

  /// Whether the keys of the class are gone while the vault is locked.
  package var isLockedWhenLocked: Bool {
    switch self {
    case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: false
    }
  }
}
