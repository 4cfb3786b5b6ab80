import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// The part of a rotation that happens inside a write transaction.
struct RotationWriting {
  let store: SecretStore
  let contents: VaultContents
  let plan: RotationPlan
  /// All groups, as the transaction sees them.
  let open: [OpenGroup]
  /// What this machine, or the vault in whose place this one comes, had instead of the file that is accepted, by
  /// scope; `nil` where no file is accepted.
  var accepted: [Identifier: VerifiedPosition]?

  /// What was written, before it is committed.
  struct Written {
    let head: VerifiedPosition
    /// The groups that got a new key.
    let groups: [(group: OpenGroup, snapshot: GroupSnapshot)]
  }

  /// Writes groups, slots and head under their new keys.
  func write(
    _ keys: borrowing RotatedKeys,
    _ slots: RotationSlots.Change,
    _ sealing: RotationSealing,
    _ rootAnchor: Anchor?,
    _ rights: borrowing VaultAdministration.Rights
  ) throws(VaultError) -> Written {
    let session = rights.session
    // The contexts of a session belong to one key of a group.
    let newSession = try Session(session.connection, cache: PageCache())
    var groups: [(group: OpenGroup, snapshot: GroupSnapshot)] = []
    for group in keys.groups {
      if accepted == nil { try session.requireSuccession(of: group.old) }
      let snapshot = try sealing.write(
        group,
        over: session.refresh(group.old, known: group.old.snapshot),
        with: newSession,
        accepting: accepted?[group.new.scope.groupID],
        isRestore: accepted != nil
      )
      groups.append((group.new, snapshot))
    }
    do {
      for slot in slots.dropped {
        try session.connection.deleteSlot(id: slot.id.bytes.span)
      }
    } catch {
      throw VaultError(translating: error)
    }
    let renewed = Dictionary(
      uniqueKeysWithValues: keys.groups.map { ($0.record.id, $0.record) }
    )
    let head = try store.writeHead(
      contents,
      slots: slots.rows,
      groups: contents.groups.map { renewed[$0.id] ?? $0 },
      rootEpoch: plan.rootEpoch ?? contents.head.rootEpoch,
      root: keys.root,
      rootAnchor,
      session.connection,
      accepting: accepted?[.zero]
    )
    return Written(head: head, groups: groups)
  }

  /// Reads the new state back, opens it with the new keys, and returns it opened.
  ///
  /// - Throws: ``VaultError`` where anything is not as it was written; then nothing may be committed.
  func readBack(
    _ written: Written,
    _ keys: borrowing RotatedKeys,
    _ slots: RotationSlots.Change,
    _ rights: borrowing VaultAdministration.Rights
  ) throws(VaultError) -> (open: OpenGroups, session: Session) {
    let session = try Session(rights.session.connection, cache: PageCache())
    let contents = try VaultContents(reading: session.connection)
    try contents.requireAdminTag(keys.root)
    for slot in slots.made { try require(slot, opensIn: contents, keys, session) }
    let opening = GroupOpening(
      vaultID: rights.vaultID,
      connection: session.connection,
      cipher: session.cipher.gcm
    )
    let device = try store.deviceKey()
    var result = rights.open
    result.groups = []
    for (record, row) in zip(contents.groups, contents.groupRows) {
      guard let new = written.groups.first(where: { $0.group.scope.groupID == record.id }) else {
        result.groups += open.filter { $0.scope.groupID == record.id }
        continue
      }
      let group = try opening.open(
        row,
        record,
        key: try opening.groupKey(of: record, root: keys.root),
        device: device,
        anchor: new.group.anchor
      )
      guard group.snapshot.verified == new.snapshot.verified else { throw VaultError(.inputOutput) }
      try session.forEachPage(in: group.snapshot, of: group) { _ in }
      result.groups.append(group)
    }
    return (result, session)
  }

  /// Describes slots of the vault as it was.
  func summaries(
    of slots: [SlotRecord],
    _ rights: borrowing VaultAdministration.Rights
  ) throws(VaultError) -> [SlotSummary] {
    var summaries: [SlotSummary] = []
    for slot in slots {
      let row = contents.slotRows.first { Identifier($0.id) == slot.id }
      let group = open.first { $0.scope.groupID == slot.scope }
      let label = try slot.label(row?.label ?? [], rights)
      summaries.append(SlotSummary(slot, label: label, groupName: group?.name))
    }
    return summaries
  }

  /// Opens a slot that was written with the key it was made with.
  private func require(
    _ made: MadeSlot,
    opensIn contents: VaultContents,
    _ keys: borrowing RotatedKeys,
    _ session: Session
  ) throws(VaultError) {
    let secret = try made.readBack(from: contents, using: session.cipher.gcm)
    let isRight = secret.withBytes { found in
      if made.record.scope == .zero {
        return keys.root.withBytes { ConstantTime.equal(found, $0) }
      }
      let group = keys.groups.first { $0.record.id == made.record.scope }
      return group?.key.withBytes { ConstantTime.equal(found, $0) } ?? false
    }
    guard isRight else { throw VaultError(.inputOutput) }
  }
}
