import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// Decides which slots survive new keys, and seals those anew.
///
/// What was stretched is kept from one attempt to the next.
struct RotationSlots {
  /// A credential that was given, and what it opened so far.
  private struct Presented {
    let credential: Credential
    let keys: SlotKeys
  }

  /// A slot that stays, and what opens it.
  private struct Kept {
    let slot: SlotRecord
    let label: String
    let credential: Credential

    init(slot: SlotRecord, label: String, _ credential: Credential) {
      self.slot = slot
      self.label = label
      self.credential = credential
    }
  }

  /// The slots of a vault after a rotation.
  struct Change {
    var rows: [SlotRow] = []
    var made: [MadeSlot] = []
    var dropped: [SlotRecord] = []
  }

  private let presented: [Presented]
  private let revoked: Set<String>
  private let log2N: UInt8?

  /// Takes the credential of the administration, which counts as given, and those of the rotation.
  init(
    _ rotation: Rotation,
    _ credential: Credential,
    _ store: SecretStore
  ) throws(VaultError) {
    var presented: [Presented] = []
    for credential in [credential] + rotation.keptCredentials {
      try credential.validate()
      let state = store.options.stateFolder(rules: store.location.rules)
      let keys = try SlotKeys(credential, state: state, random: store.random)
      presented.append(Presented(credential: credential, keys: keys))
    }
    self.presented = presented
    revoked = rotation.revokedSlots
    log2N = rotation.log2N
  }

  /// Seals the slots that stay and leaves out the others; nothing is written yet.
  ///
  /// - Throws: ``VaultError``: `credentialRejected` where a credential opens none of the slots concerned, save the
  ///   administration's own; `invalidArgument` where a slot to be revoked is none of them, or none would open the
  ///   whole vault.
  func change(
    _ contents: VaultContents,
    _ plan: RotationPlan,
    _ keys: borrowing RotatedKeys,
    _ rights: borrowing VaultAdministration.Rights,
    _ store: SecretStore
  ) throws(VaultError) -> Change {
    try requireRevocable(contents, plan)
    var change = Change()
    let kept = try sort(contents, plan, into: &change, rights)
    try make(kept, into: &change, keys, rights, store)
    guard change.hasSlotOfWholeVault else {
      throw VaultError(.invalidArgument, "no slot would open the whole vault; keep one")
    }
    return change
  }

  private func requireRevocable(
    _ contents: VaultContents,
    _ plan: RotationPlan
  ) throws(VaultError) {
    let reached = Set(contents.slots.filter { plan.reaches($0) }.map { $0.id.hex })
    guard revoked.isSubset(of: reached) else {
      throw VaultError(
        .invalidArgument,
        "a slot to be revoked opens none of the keys that are changed; list the slots"
      )
    }
  }

  /// Lets slots stay as they are or go, and returns those that are to be sealed anew.
  private func sort(
    _ contents: VaultContents,
    _ plan: RotationPlan,
    into change: inout Change,
    _ rights: borrowing VaultAdministration.Rights
  ) throws(VaultError) -> [Kept] {
    var kept: [Kept] = []
    var used: Set<Int> = [0]
    for (slot, row) in zip(contents.slots, contents.slotRows) {
      guard plan.reaches(slot) else {
        change.rows.append(row)
        continue
      }
      let opener = try opener(of: slot, rights.vaultID)
      if let opener { used.insert(opener) }
      if let opener, !revoked.contains(slot.id.hex) {
        let credential = presented[opener].credential
        kept.append(Kept(slot: slot, label: try slot.label(row.label, rights), credential))
      } else {
        change.dropped.append(slot)
      }
    }
    guard used.count == presented.count else {
      throw VaultError(
        .credentialRejected,
        "a credential to keep opens none of the slots concerned; nothing was changed"
      )
    }
    return kept
  }

  /// - Returns: The place of the first credential that opens a slot.
  private func opener(of slot: SlotRecord, _ vaultID: Identifier) throws(VaultError) -> Int? {
    for (index, each) in presented.enumerated()
    where !each.keys.candidates(among: [slot], only: nil).isEmpty {
      let isOpen =
        slot.scope == .zero
        ? try each.keys.open(slot, vaultID: vaultID, as: Role.Root.self) != nil
        : try each.keys.open(slot, vaultID: vaultID, as: Role.Group.self) != nil
      if isOpen { return index }
    }
    return nil
  }

  private func make(
    _ kept: [Kept],
    into change: inout Change,
    _ keys: borrowing RotatedKeys,
    _ rights: borrowing VaultAdministration.Rights,
    _ store: SecretStore
  ) throws(VaultError) {
    let making = SlotMaking(
      vaultID: rights.vaultID,
      random: store.random,
      state: store.options.stateFolder(rules: store.location.rules),
      cipher: rights.session.cipher.gcm
    )
    // Each slot leaves the least that a new one costs to every one after it.
    var reserved = UInt64(kept.count(where: { $0.slot.factors.contains(.passphrase) }))
    reserved <<= UInt64(Limits.smallestWrittenLogN)
    for each in kept {
      let slot = each.slot
      if slot.factors.contains(.passphrase) { reserved -= 1 << UInt64(Limits.smallestWrittenLogN) }
      var new = SecretStore.NewSlot(each.credential, label: each.label)
      new.credential.needsDevice = slot.factors.contains(.device)
      new.log2N = log2N
      let spent = try change.cost() + reserved
      let costLeft = Limits.totalCost - min(spent, Limits.totalCost)
      let made = try make(new, slot, making, keys, costLeft)
      change.made.append(made)
      change.rows.append(made.row)
    }
  }

  private func make(
    _ new: SecretStore.NewSlot,
    _ slot: SlotRecord,
    _ making: SlotMaking,
    _ keys: borrowing RotatedKeys,
    _ costLeft: UInt64
  ) throws(VaultError) -> MadeSlot {
    if slot.scope == .zero {
      return try making.make(new, id: slot.id, root: keys.root, costLeft: costLeft)
    }
    guard let group = keys.groups.first(where: { $0.new.scope.groupID == slot.scope })
    else { throw VaultError(.tampered) }
    do {
      return try making.make(
        new,
        id: slot.id,
        root: keys.root,
        scope: slot.scope,
        groupKey: group.key.duplicate(),
        costLeft: costLeft
      )
    } catch {
      throw VaultError(translating: error)
    }
  }
}

extension RotationSlots.Change {
  fileprivate var hasSlotOfWholeVault: Bool {
    rows.contains { row in (try? SlotRecord(parsing: row.record.span).scope) == .zero }
  }

  fileprivate func cost() throws(VaultError) -> UInt64 {
    do {
      return try rows.reduce(UInt64(0)) { sum, row throws(FormatError) in
        sum + (try SlotRecord(parsing: row.record.span).cost)
      }
    } catch {
      throw VaultError(translating: error)
    }
  }
}
