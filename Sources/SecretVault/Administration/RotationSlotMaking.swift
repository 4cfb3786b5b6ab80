import VaultCrypto
import VaultDatabase
import VaultFormat

/// Seals the slots that survive new keys.
extension RotationSlots {
  /// Makes the slots that stay, each of them with the same id, for the new keys.
  func make(
    _ kept: [Kept],
    into change: inout Change,
    _ keys: borrowing RotatedKeys,
    _ rootEpoch: UInt64,
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
      let made = try make(new, slot, making, keys, rootEpoch, costLeft)
      change.made.append(made)
      change.rows.append(made.row)
    }
  }

  private func make(
    _ new: SecretStore.NewSlot,
    _ slot: SlotRecord,
    _ making: SlotMaking,
    _ keys: borrowing RotatedKeys,
    _ rootEpoch: UInt64,
    _ costLeft: UInt64
  ) throws(VaultError) -> MadeSlot {
    if slot.scope == .zero {
      return try making.make(
        new,
        id: slot.id,
        root: keys.root,
        epoch: rootEpoch,
        costLeft: costLeft
      )
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
        epoch: group.new.scope.epoch,
        costLeft: costLeft
      )
    } catch {
      throw VaultError(translating: error)
    }
  }
}

extension RotationSlots.Change {
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
