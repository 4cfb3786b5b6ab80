import VaultCrypto
import VaultFormat

/// What a store holds while it is, or was, unlocked.
struct UnlockedState: Sendable {
  var phase: LockState = .beforeFirstUnlock
  /// Counts unlockings, so that contexts of an earlier one are not used.
  var generation: UInt64 = 0
  /// Counts locks, so that what was being opened when one came is not put to use.
  var lockCount: UInt64 = 0
  var open = OpenGroups()
}

/// The groups that the credential opened, and the rules for using their items.
struct OpenGroups: Sendable {
  var groups: [OpenGroup] = []
  /// This device's name in the vault, or `nil` where there is no device key.
  var deviceID: Identifier?
  /// Whether the credential opens the whole vault.
  var isWhole = false
  /// Whether a Unix group shares the vault, each of whose members has another device key.
  var isShared = false

  /// Finds the group that an identity names.
  ///
  /// Without a name it is the group `default`, else the only one.
  ///
  /// - Throws: ``VaultError``: `notPermitted` for a group that the credential did not open,
  ///   `ambiguousGroup` where one must be named.
  func group(named name: String?, using session: Session) throws(VaultError) -> OpenGroup {
    if name == nil, groups.count == 1, let only = groups.first { return only }
    if let group = try find(name ?? SecretStore.defaultGroupName, using: session) { return group }
    guard name != nil else { throw VaultError(.ambiguousGroup) }
    throw VaultError(.notPermitted, "the credential does not open that access group; use another")
  }

  private func find(_ name: String, using session: Session) throws(VaultError) -> OpenGroup? {
    let bytes = Array(name.utf8)
    for group in groups {
      if let isMatch = group.hasName(bytes) {
        if isMatch { return group }
      } else if try session.groupNameTag(bytes, of: group) == group.nameTag {
        return group
      }
    }
    return nil
  }

  /// Throws unless the class of a row can be used now, on this device.
  func requireAccess(
    _ accessibility: ClassByte,
    deviceID rowDevice: Identifier,
    in group: OpenGroup
  ) throws(VaultError) {
    if accessibility.isDeviceBound, rowDevice != deviceID { throw VaultError(.notOnThisDevice) }
    if group.keys.opens(accessibility) { return }
    throw VaultError(.locked)
  }

  /// Throws unless an item of a class can be written now, on this device.
  func requireAccess(_ accessibility: ClassByte, in group: OpenGroup) throws(VaultError) {
    if accessibility.isDeviceBound, isShared {
      throw VaultError(
        .accessibilityRefused,
        "a vault that a Unix group shares holds nothing of one device; choose another class"
      )
    }
    if accessibility.isDeviceBound, deviceID == nil { throw VaultError(.notOnThisDevice) }
    if !group.keys.opens(accessibility) { throw VaultError(.locked) }
  }
}

extension Session {
  /// Recognises a group's name without keeping it.
  func groupNameTag(_ name: [UInt8], of group: OpenGroup) throws(VaultError) -> Digest {
    do {
      return Digest(
        try contexts(of: group).index.expand(.groupName) { hmac throws(CryptoError) in
          try hmac.update(UInt32(clamping: name.count))
          try hmac.update(name.span)
        }
      )
    } catch {
      throw VaultError(translating: error)
    }
  }
}
