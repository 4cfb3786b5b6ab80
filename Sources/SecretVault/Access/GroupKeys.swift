import VaultCrypto
import VaultFormat

/// The keys of one access group that a session holds; the group key itself is gone by then.
///
/// Index and manifest key stay from the first unlock on, so that a locked vault can tell "locked" from
/// "not there". The leaves of a class are here exactly while the class can be used.
struct GroupKeys: ~Copyable, Sendable {
  /// The two keys that seal the items of one class.
  struct Leaves: ~Copyable, Sendable {
    let attributes: Key<Role.Leaf>
    let secret: Key<Role.Leaf>
  }

  let index: Key<Role.Index>
  let manifest: Key<Role.Manifest>
  private var leaves: InlineArray<5, Leaves?>

  /// Derives everything from the group key.
  ///
  /// Without this device's key the device-bound classes stay closed.
  init(
    _ groupKey: borrowing Key<Role.Group>,
    device: borrowing Key<Role.Device>?,
    vaultID: Identifier,
    groupID: Identifier
  ) throws(CryptoError) {
    var leaves = InlineArray<5, Leaves?> { _ in nil }
    let portable = try groupKey.portableBase()
    for accessibility in ClassByte.allCases where !accessibility.isDeviceBound {
      leaves[accessibility.index] = try Self.leaves(of: accessibility, from: portable)
    }
    switch device {
    case .none: break
    case .some(let device):
      let base = try groupKey.deviceBase(
        device,
        vaultID: vaultID.bytes.span,
        groupID: groupID.bytes.span
      )
      for accessibility in ClassByte.allCases where accessibility.isDeviceBound {
        leaves[accessibility.index] = try Self.leaves(of: accessibility, from: base)
      }
    }
    let index = try groupKey.indexKey()
    let manifest = try groupKey.manifestKey()
    self.index = index
    self.manifest = manifest
    self.leaves = leaves
  }

  private static func leaves(
    of accessibility: ClassByte,
    from base: borrowing Key<Role.ClassBase>
  ) throws(CryptoError) -> Leaves {
    Leaves(
      attributes: try base.attributesLeaf(classByte: accessibility.rawValue),
      secret: try base.secretLeaf(classByte: accessibility.rawValue)
    )
  }

  /// Whether the items of a class can be opened now.
  func opens(_ accessibility: ClassByte) -> Bool {
    leaves[accessibility.index] != nil
  }

  /// Keys a context with the leaf that seals one part of the items of a class, or returns `nil` where
  /// the leaf is gone.
  func leafContext(_ accessibility: ClassByte, isAttributes: Bool) throws(CryptoError) -> HMAC? {
    switch leaves[accessibility.index] {
    case .none: nil
    case .some(let leaves):
      try isAttributes ? leaves.attributes.sealingContext() : leaves.secret.sealingContext()
    }
  }

  /// Wipes the leaves of every class that a lock closes.
  mutating func wipeLockedClasses() {
    for accessibility in ClassByte.allCases where accessibility.isLockedWhenLocked {
      leaves[accessibility.index] = nil
    }
  }
}

extension ClassByte {
  /// The place of the class in tables of all classes.
  var index: Int {
    switch self {
    case .whenUnlocked: 0
    case .afterFirstUnlock: 1
    case .whenUnlockedThisDeviceOnly: 2
    case .afterFirstUnlockThisDeviceOnly: 3
    case .whenPasscodeSetThisDeviceOnly: 4
    }
  }
}
