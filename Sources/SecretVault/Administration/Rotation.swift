import VaultDatabase

/// What a rotation is to do.
public struct Rotation: Sendable {
  /// The access group that gets a new key, or `nil` for the root key and the keys of all groups.
  public var group: String?
  /// What opens the slots that are to stay, beside the credential of the administration.
  public var keptCredentials: [Credential] = []
  /// The ids of slots that go for certain, even where their credential was given.
  public var revokedSlots: Set<String> = []
  /// Whether items that are bound to another device are removed, since only that device could seal them anew.
  public var removesItemsOfOtherDevices = false
  /// The logarithm of scrypt's N of the slots that stay, or `nil` to measure it; for tests.
  package var log2N: UInt8?

  /// Describes a rotation of the whole vault, or of one access group.
  public init(ofGroup group: String? = nil) {
    self.group = group
  }
}

/// What a rotation did.
public struct RotationReport: Hashable, Sendable {
  /// How many items were sealed anew.
  public internal(set) var resealedItems = 0
  /// How many items of the class `whenPasscodeSetThisDeviceOnly` went with the last passphrase.
  public internal(set) var itemsRemovedWithPassphrase = 0
  /// How many items went since they are bound to another device.
  public internal(set) var itemsRemovedOfOtherDevices = 0
  /// The slots that are gone, since their credential was not given or they were revoked.
  public internal(set) var droppedSlots: [SlotSummary] = []
}

extension VaultAdministration {
  /// Gives the vault, or one access group, new keys and seals every item anew, in one commit.
  ///
  /// The slots whose credential is given stay, sealed anew with the local cost; all others that reach a new key are
  /// dropped and named. Items keep their ids, versions and dates. A process that is killed meanwhile leaves all old or
  /// all new. Others can write while the items are sealed, and wait only while they are written, for which the
  /// rotation itself waits up to a minute.
  ///
  /// Whoever has the vault open with the former keys gets `keysRotated` and unlocks it again; the store of this
  /// administration is locked when this returns, and has to be unlocked too. The administration itself goes on.
  /// Copies of the file that were made before still open with the former keys.
  ///
  /// `progress` is called from another thread, without locks and in order; the last of these calls has ended when this
  /// returns. A lock of the store in it ends the rotation.
  ///
  /// - Throws: ``VaultError``: `notOnThisDevice` where items are bound to another device, unless they may be
  ///   removed; `credentialRejected` for a credential to keep that opens no slot concerned; `invalidArgument` for an
  ///   unknown group or slot, and where no slot would open the whole vault; `tampered` where an item is damaged;
  ///   `locked` where a lock of the store ended it; `busy`, `full`, `readOnly`, `limitExceeded`. Nothing is changed
  ///   then.
  @discardableResult
  public func rotate(
    _ rotation: Rotation = Rotation(),
    progress: @escaping @Sendable (RotationProgress) -> Void = { _ in }
  ) throws(VaultError) -> RotationReport {
    let calls = ProgressCalls(progress)
    // When nothing is held any more.
    defer { calls.finish() }
    return try rotateKeys(rotation, afterEachBatch: calls.tell)
  }

  /// Does so, and calls from within, while the rights are held.
  package func rotateKeys(
    _ rotation: Rotation = Rotation(),
    afterEachBatch tell: @escaping (RotationProgress) -> Void
  ) throws(VaultError) -> RotationReport {
    guard store.access == .readWrite else { throw VaultError(.readOnly) }
    let report = try renewRights { rights throws(VaultError) in
      let slots = try RotationSlots(rotation, rights.credential, store)
      while true {
        switch try rotate(rotation, slots, rights, tell) {
        case .some(let renewed): return renewed
        // Another process has changed the head meanwhile; what was stretched is kept.
        case .none: continue
        }
      }
    }
    // Its keys open nothing any more.
    store.forgetAllKeys(telling: .keysRotated)
    return report
  }

  /// Empties the write-ahead log, where what was sealed with the former keys still is.
  ///
  /// - Returns: Whether no former ciphertext is left in the files of the vault; a reader at work prevents it.
  /// - Throws: ``VaultError``.
  @discardableResult
  public func emptyLog() throws(VaultError) -> Bool { try store.emptyLog() }
}
