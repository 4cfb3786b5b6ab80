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
  struct Kept {
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
  let log2N: UInt8?

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
    try make(kept, into: &change, keys, plan.rootEpoch ?? contents.head.rootEpoch, rights, store)
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
      let openers = try openers(of: slot, contents)
      used.formUnion(openers)
      if let opener = openers.first, !revoked.contains(slot.id.hex) {
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

  /// - Returns: The places of the credentials that open a slot; one may be given twice.
  private func openers(
    of slot: SlotRecord,
    _ contents: VaultContents
  ) throws(VaultError) -> [Int] {
    var openers: [Int] = []
    for (index, each) in presented.enumerated()
    where !each.keys.candidates(among: [slot], only: nil).isEmpty {
      let isOpen =
        slot.scope == .zero
        ? try each.keys.open(slot, of: contents, as: Role.Root.self) != nil
        : try each.keys.open(slot, of: contents, as: Role.Group.self) != nil
      if isOpen { openers.append(index) }
    }
    return openers
  }
}

extension RotationSlots.Change {
  fileprivate var hasSlotOfWholeVault: Bool {
    rows.contains { row in (try? SlotRecord(parsing: row.record.span).scope) == .zero }
  }
}
