import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// A slot that is to be made.
  public struct NewSlot: Sendable {
    /// What will open the slot.
    public var credential: Credential
    /// What a person calls the slot, up to 252 bytes; only who opens the whole vault can read it.
    public var label: String
    /// The access group that the slot is to open, or `nil` for the whole vault.
    public var group: String?
    /// The logarithm of scrypt's N, or `nil` to measure what takes a quarter of a second; for tests.
    package var log2N: UInt8?

    /// Describes a slot.
    public init(_ credential: Credential, label: String = "") {
      self.credential = credential
      self.label = label
    }
  }
}

/// Makes slot records: a salt of their own, the local cost, a key sealed under the joined factors.
struct SlotMaking {
  let vaultID: Identifier
  let random: RandomSource
  let state: StateFolder?
  let cipher: GCM

  /// The least time that one guess at a passphrase may take here.
  private static let leastDuration = Duration.milliseconds(250)

  /// Makes a slot that gives the whole vault, or the key of one group; `epoch` is that of the key in it.
  ///
  /// The whole vault has the scope of zeros and no group key. All passphrase slots together may cost no more than
  /// a limit, of which `costLeft` is what the others leave. A slot that takes the place of an older one has its `id`.
  ///
  /// - Throws: ``VaultError``: `invalidArgument` for a malformed credential, `limitExceeded` where the slots
  ///   would cost too much together, `notOnThisDevice` where the device key cannot be had.
  func make(
    _ new: SecretStore.NewSlot,
    id known: Identifier? = nil,
    root: borrowing Key<Role.Root>,
    scope: Identifier = .zero,
    groupKey: borrowing Key<Role.Group>? = nil,
    epoch: UInt64,
    costLeft: UInt64
  ) throws(VaultError) -> MadeSlot {
    try new.credential.validate()
    do {
      let id = try known ?? Identifier(random.bytes())
      let label = try sealedLabel(Array(new.label.utf8), slot: id, root: root)
      switch groupKey {
      case .none:
        return try root.withBytes { key throws(any Error) in
          try make(new, id, .zero, epoch, label: label, sealing: key, costLeft: costLeft)
        }
      case .some(let groupKey):
        return try groupKey.withBytes { key throws(any Error) in
          try make(new, id, scope, epoch, label: label, sealing: key, costLeft: costLeft)
        }
      }
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func make(
    _ new: SecretStore.NewSlot,
    _ id: Identifier,
    _ scope: Identifier,
    _ epoch: UInt64,
    label: [UInt8],
    sealing payload: Span<UInt8>,
    costLeft: UInt64
  ) throws -> MadeSlot {
    let salt = Salt(try random.bytes())
    var log2N: UInt8 = 0
    var passphrase: Key<Role.Passphrase>?
    if let bytes = new.credential.passphrase {
      log2N = new.log2N ?? Limits.smallestWrittenLogN
      passphrase = try stretch(bytes, salt, &log2N, isFixed: new.log2N != nil, costLeft: costLeft)
    }
    let device = try new.credential.needsDevice ? deviceKey() : nil
    let key = try Key<Role.Slot>.joining(
      passphrase: passphrase,
      file: try new.credential.fileKey(),
      device: device,
      salt: salt.bytes.span
    )
    let header = SlotRecord.header(
      factors: new.credential.factors,
      logN: log2N,
      id: id,
      scope: scope,
      salt: salt
    )
    let context = SlotKeys.context(header, vaultID: vaultID, epoch: epoch)
    let box = try SealedBox.seal(
      payload,
      with: key.sealingContext(),
      salt: salt.bytes.span,
      context: context.span,
      using: cipher
    )
    let record = try SlotRecord(
      factors: new.credential.factors,
      logN: log2N,
      id: id,
      scope: scope,
      salt: salt,
      box: box
    )
    let row = SlotRow(id: id.bytes, record: record.bytes, label: label)
    return MadeSlot(row: row, record: record, key: SlotKey(key))
  }

  private func deviceKey() throws(VaultError) -> Key<Role.Device>? {
    guard let device = try DeviceKey.load(from: state, random: random) else {
      throw VaultError(.notOnThisDevice, "there is no device key; make the state folder writable")
    }
    return device
  }

  /// Stretches with the least cost that takes long enough here, never below the floor.
  private func stretch(
    _ passphrase: SecretBytes,
    _ salt: Salt,
    _ log2N: inout UInt8,
    isFixed: Bool,
    costLeft: UInt64
  ) throws -> Key<Role.Passphrase> {
    while true {
      guard UInt64(1) << UInt64(log2N) <= costLeft else {
        throw VaultError(
          .limitExceeded,
          "the passphrase slots would cost too much to try; remove one first"
        )
      }
      let start = ContinuousClock.now
      let cost = log2N
      let key = try passphrase.withBytes { bytes throws(CryptoError) in
        try Stretch.passphrase(bytes, salt: salt.bytes.span, log2N: cost)
      }
      let isDear = start.duration(to: .now) >= Self.leastDuration
      let isLast = log2N >= Limits.logN.upperBound || UInt64(2) << UInt64(log2N) > costLeft
      if isFixed || isDear || isLast { return key }
      log2N += 1
    }
  }

  /// What a slot's label is bound to.
  static func labelContext(_ slot: Identifier, vaultID: Identifier) -> [UInt8] {
    var context = Label.labelOfSlot.tag
    vaultID.append(to: &context)
    slot.append(to: &context)
    return context
  }

  private func sealedLabel(
    _ label: [UInt8],
    slot id: Identifier,
    root: borrowing Key<Role.Root>
  ) throws -> [UInt8] {
    guard Limits.slotLabelByteCounts.contains(label.count) else {
      throw VaultError(.limitExceeded, "a slot label has at most 252 bytes; shorten it")
    }
    return try PaddedText.seal(
      label,
      with: root.slotLabelKey().sealingContext(),
      context: Self.labelContext(id, vaultID: vaultID),
      random: random,
      using: cipher
    )
  }
}
