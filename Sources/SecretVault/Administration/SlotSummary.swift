import VaultCrypto
import VaultDatabase
import VaultFormat

/// What a slot is, without what opens it.
public struct SlotSummary: Hashable, Sendable {
  /// The slot's name, 32 hexadecimal digits.
  public let id: String
  /// Whether it takes a passphrase.
  public let needsPassphrase: Bool
  /// Whether it takes a key file or a recovery code.
  public let needsKeyFile: Bool
  /// Whether it takes this device's key.
  public let needsDevice: Bool
  /// The logarithm of scrypt's N, where there is a passphrase.
  public let log2N: Int?
  /// What a person calls it.
  public let label: String
  /// Whether it opens one access group only.
  public let opensOneGroup: Bool
  /// The name of that group; `nil` for a slot of the whole vault, and where the name is damaged.
  public let groupName: String?
}

extension VaultAdministration {
  /// The slots, in ascending order of id.
  ///
  /// - Throws: ``VaultError``: `tampered` where head or slots are not what the root key made, `keysRotated`.
  public func slots() throws(VaultError) -> [SlotSummary] {
    try withRights { rights throws(VaultError) in
      let contents = try rights.session.inReadTransaction { () throws(VaultError) in
        try authenticContents(rights)
      }
      var summaries: [SlotSummary] = []
      for (slot, row) in zip(contents.slots, contents.slotRows) {
        let label = try slot.label(row.label, rights)
        let group = try groupName(of: slot, contents, rights)
        summaries.append(SlotSummary(slot, label: label, groupName: group))
      }
      return summaries
    }
  }

  /// Reads head, slots and group records inside a transaction and checks that the root key made them.
  ///
  /// They are those of the vault, or of a copy of it that a session of its own reads.
  func authenticContents(
    _ rights: borrowing Rights,
    readBy session: Session? = nil
  ) throws(VaultError) -> VaultContents {
    let contents = try VaultContents(reading: (session ?? rights.session).connection)
    do throws(VaultError) {
      try contents.requireAdminTag(rights.root)
    } catch  where error.code == .tampered {
      // A rotation by another process gives the head another root key, and says so by the epoch.
      throw contents.head.rootEpoch == rootEpoch ? error : VaultError(.keysRotated)
    }
    try require(contents.rootPosition)
    return contents
  }
}

extension SlotRecord {
  /// Opens the label of a slot with the root key.
  func label(
    _ sealed: [UInt8],
    _ rights: borrowing VaultAdministration.Rights
  ) throws(VaultError) -> String {
    do {
      let bytes = try PaddedText.open(
        sealed,
        with: rights.root.slotLabelKey().sealingContext(),
        context: SlotMaking.labelContext(id, vaultID: rights.vaultID),
        using: rights.session.cipher.gcm
      )
      return String(decoding: bytes, as: UTF8.self)
    } catch {
      throw VaultError(translating: error)
    }
  }
}

extension SlotSummary {
  init(_ slot: SlotRecord, label: String, groupName: String?) {
    id = slot.id.hex
    needsPassphrase = slot.factors.contains(.passphrase)
    needsKeyFile = slot.factors.contains(.keyFile)
    needsDevice = slot.factors.contains(.device)
    log2N = slot.factors.contains(.passphrase) ? Int(slot.logN) : nil
    opensOneGroup = slot.scope != .zero
    self.label = label
    self.groupName = groupName
  }
}
