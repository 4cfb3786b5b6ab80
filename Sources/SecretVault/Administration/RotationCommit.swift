import VaultCrypto
import VaultDatabase
import VaultFormat

/// What a rotation gives: its result, and what takes the place of the rights that it was made with.
struct RenewedRights<Result>: ~Copyable {
  let result: Result
  let root: Key<Role.Root>
  let open: OpenGroups
  let session: Session
}

extension VaultAdministration {
  /// Makes new keys, seals everything under them, and commits it.
  ///
  /// Stretching and sealing come before the transaction begins.
  ///
  /// - Returns: `nil` where the head is not any more what it was at the start.
  func rotate(
    _ rotation: Rotation,
    _ presented: RotationSlots,
    _ rights: borrowing Rights,
    _ progress: @escaping (RotationProgress) -> Void
  ) throws(VaultError) -> RenewedRights<RotationReport>? {
    let (before, groups) = try rights.session.inReadTransaction { () throws(VaultError) in
      let contents = try authenticContents(rights)
      return (contents, try store.openGroups(contents, rights))
    }
    let plan = try RotationPlan(rotation, before) { name throws(VaultError) in
      try record(ofGroupNamed: name, before, rights)
    }
    let keys = try RotatedKeys(plan, before, groups, rights, store)
    let slots = try presented.change(before, plan, keys, rights, store)
    let rows = RotationRows(
      deviceID: rights.open.deviceID,
      slots: slots.rows,
      removesItemsOfOtherDevices: rotation.removesItemsOfOtherDevices
    )
    let sealing = try RotationSealing(store, rights.session, rows, progress: progress)
    try sealing.prepare(keys.groups)
    let writing = RotationWriting(store: store, contents: before, plan: plan, open: groups)
    return try commit(writing, keys, slots, sealing, rights)
  }

  /// So long a rotation waits for its turn to write.
  private static let patience = Duration.seconds(60)

  private func commit(
    _ writing: RotationWriting,
    _ keys: borrowing RotatedKeys,
    _ slots: RotationSlots.Change,
    _ sealing: RotationSealing,
    _ rights: borrowing Rights
  ) throws(VaultError) -> RenewedRights<RotationReport>? {
    let rootAnchor = try store.anchor(rights.vaultID, scope: .zero)
    let connection = rights.session.connection
    return try store.withWriteLock(waiting: Self.patience) {
      () throws(VaultError) -> RenewedRights<RotationReport>? in
      try store.beginWrite(connection, waiting: Self.patience)
      defer { connection.rollback() }
      guard try authenticContents(rights).hasSameHead(as: writing.contents) else { return nil }
      let written = try writing.write(keys, slots, sealing, rootAnchor, rights)
      let renewed = try writing.readBack(written, keys, slots, rights)
      var report = sealing.report
      report.droppedSlots = try writing.summaries(of: slots.dropped, rights)
      let root: Key<Role.Root>
      do { root = try keys.root.duplicate() } catch { throw VaultError(translating: error) }
      try store.requireNoPendingLock()
      do { try connection.commit() } catch { throw VaultError(translating: error) }
      remember(written, slots, rootAnchor)
      return RenewedRights(result: report, root: root, open: renewed.open, session: renewed.session)
    }
  }

  /// Notes what was committed.
  private func remember(
    _ written: RotationWriting.Written,
    _ slots: RotationSlots.Change,
    _ rootAnchor: Anchor?
  ) {
    publish(written.head)
    if let slot = slots.made.first(where: { $0.record.id == openedSlot.id }) {
      replaceOpenedSlot(with: slot.record)
    }
    store.advance(rootAnchor, to: written.head)
    for (group, snapshot) in written.groups { store.advance(group.anchor, to: snapshot.verified) }
    store.drain.request(store)
  }
}
