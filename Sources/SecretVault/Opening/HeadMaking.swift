import VaultCrypto
import VaultDatabase
import VaultFormat

/// Makes the head over slots and groups: the checksum and the admin tag.
struct HeadMaking {
  let vaultID: Identifier
  let rootEpoch: UInt64
  let adminCounter: UInt64
  let state: [UInt8]

  func row(
    slots: [SlotRow],
    groups: [[UInt8]],
    root: borrowing Key<Role.Root>
  ) throws -> HeadRow {
    guard slots.count <= Limits.slots else {
      throw VaultError(.limitExceeded, "a vault has at most 64 slots; remove one first")
    }
    let passphraseCount = try slots.count { row in
      try SlotRecord(parsing: row.record.span).factors.contains(.passphrase)
    }
    guard passphraseCount <= Limits.passphraseSlots else {
      throw VaultError(.limitExceeded, "a vault has at most 8 passphrases; remove one first")
    }
    guard Limits.counters.contains(adminCounter) else { throw VaultError(.limitExceeded) }
    var head = HeadRecord(
      vaultID: vaultID,
      rootEpoch: rootEpoch,
      adminCounter: adminCounter,
      slotCount: UInt32(clamping: slots.count),
      groupCount: UInt32(clamping: groups.count),
      checksum: .zero,
      adminTag: .zero
    )
    let body = HeadRecord.body(
      head: head,
      state: state,
      slots: slots.map { (record: $0.record, label: $0.label) },
      groups: groups
    )
    head.checksum = try VaultContents.checksum(body)
    head.adminTag = Digest(try VaultContents.adminTag(body, root: root))
    return HeadRow(record: head.bytes, state: state)
  }
}
