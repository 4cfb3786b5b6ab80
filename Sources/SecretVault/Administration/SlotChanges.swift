import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

extension VaultAdministration {
  /// Adds a slot that opens the whole vault, or the access group that it names.
  ///
  /// - Returns: The new slot's id.
  /// - Throws: ``VaultError``: `invalidArgument` for a malformed credential or where there is no such group, `limitExceeded` where there are
  ///   64 slots or 8 with a passphrase, or where they would cost too much together.
  @discardableResult
  public func addSlot(_ new: SecretStore.NewSlot) throws(VaultError) -> String {
    try replaceSlots(adding: new, removing: nil).id
  }

  /// Removes a slot.
  ///
  /// Removing the last passphrase removes the items of the class `whenPasscodeSetThisDeviceOnly` in the same
  /// commit. It is no revocation: whoever kept a copy of the vault and the credential can still open that copy.
  ///
  /// - Returns: How many items went with the last passphrase.
  /// - Throws: ``VaultError``: `invalidArgument` where there is no such slot, or it is the last one that opens
  ///   the whole vault.
  @discardableResult
  public func removeSlot(_ id: String) throws(VaultError) -> Int {
    try replaceSlots(adding: nil, removing: id).removedItems
  }

  /// What a change of the slots did.
  struct Outcome {
    var id = ""
    var removedItems = 0
  }

  /// Adds and removes slots in one commit.
  ///
  /// All stretching comes before the transaction begins.
  func replaceSlots(
    adding new: SecretStore.NewSlot?,
    removing removed: String?
  ) throws(VaultError) -> Outcome {
    guard store.access == .readWrite else { throw VaultError(.readOnly) }
    return try withRights { rights throws(VaultError) in
      // Another process may change the head while the passphrase is stretched.
      while true {
        let before = try rights.session.inReadTransaction { () throws(VaultError) in
          try authenticContents(rights)
        }
        let made = try makeSlot(new, replacing: removed, before, rights)
        if let outcome = try commit(made, removing: removed, over: before, rights) {
          return outcome
        }
      }
    }
  }

  private func makeSlot(
    _ new: SecretStore.NewSlot?,
    replacing removed: String?,
    _ before: VaultContents,
    _ rights: borrowing Rights
  ) throws(VaultError) -> MadeSlot? {
    guard let new else { return nil }
    let kept = before.slots.filter { $0.id.hex != removed }
    let cost = kept.reduce(UInt64(0)) { $0 + $1.cost }
    let making = SlotMaking(
      vaultID: before.head.vaultID,
      random: store.random,
      state: store.options.stateFolder(rules: store.location.rules),
      cipher: rights.session.cipher.gcm
    )
    // The slots can cost more than we would make them.
    let costLeft = Limits.totalCost - min(cost, Limits.totalCost)
    return try make(new, making, before, rights, costLeft: costLeft)
  }

  private func make(
    _ new: SecretStore.NewSlot,
    _ making: SlotMaking,
    _ contents: VaultContents,
    _ rights: borrowing Rights,
    costLeft: UInt64
  ) throws(VaultError) -> MadeSlot {
    guard let name = new.group else {
      return try making.make(
        new,
        root: rights.root,
        epoch: contents.head.rootEpoch,
        costLeft: costLeft
      )
    }
    guard let record = try record(ofGroupNamed: name, contents, rights) else {
      throw VaultError(.invalidArgument, "there is no such access group; list the groups")
    }
    return try making.make(
      new,
      root: rights.root,
      scope: record.id,
      groupKey: try groupOpening(rights).groupKey(of: record, root: rights.root),
      epoch: record.epoch,
      costLeft: costLeft
    )
  }

  /// - Returns: `nil` where the head is not the one of `before` any more.
  private func commit(
    _ made: MadeSlot?,
    removing removed: String?,
    over before: VaultContents,
    _ rights: borrowing Rights
  ) throws(VaultError) -> Outcome? {
    let rootAnchor = try store.anchor(rights.vaultID, scope: .zero)
    let session = rights.session
    return try store.withWriteLock { () throws(VaultError) in
      do { try session.connection.beginWrite() } catch { throw VaultError(translating: error) }
      defer { session.connection.rollback() }
      let contents = try authenticContents(rights)
      guard contents.hasSameHead(as: before) else { return nil }
      var outcome = Outcome()
      var rows = contents.slotRows
      if let removed { try remove(removed, from: &rows, session) }
      if let made {
        rows.append(made.row)
        outcome.id = made.record.id.hex
      }
      let commit = Commit(session: session, open: rights.open, random: store.random)
      for group in try store.openGroups(contents, rights)
      where try !SlotRecord.anyTakesPassphrase(in: rows, opening: group.scope.groupID) {
        try session.requireSuccession(of: group)
        outcome.removedItems += try commit.removeItemsThatNeedPassphrase(in: group)
      }
      let finished = try commit.finish()
      let head = try store.writeHead(contents, slots: rows, rootAnchor, rights)
      try verify(made, rights)
      do { try session.connection.commit() } catch { throw VaultError(translating: error) }
      publish(head)
      if let made, removed == openedSlot.id.hex { replaceOpenedSlot(with: made.record) }
      store.advance(rootAnchor, to: head)
      for (group, snapshot) in finished {
        group.publish(snapshot)
        store.advance(group.anchor, to: snapshot.verified)
      }
      store.drain.request(store)
      return outcome
    }
  }

  private func remove(
    _ id: String,
    from rows: inout [SlotRow],
    _ session: Session
  ) throws(VaultError) {
    guard let index = rows.firstIndex(where: { Identifier($0.id).hex == id }) else {
      throw VaultError(.invalidArgument, "there is no such slot; list the slots")
    }
    do {
      try session.connection.deleteSlot(id: rows[index].id.span)
    } catch {
      throw VaultError(translating: error)
    }
    rows.remove(at: index)
  }

  /// Reads the new state back and opens the new slot with the key it was made with.
  private func verify(
    _ made: MadeSlot?,
    _ rights: borrowing Rights
  ) throws(VaultError) {
    let contents = try VaultContents(reading: rights.session.connection)
    try contents.requireAdminTag(rights.root)
    guard contents.slots.contains(where: { $0.scope == .zero }) else {
      throw VaultError(
        .invalidArgument,
        "this is the last slot that opens the whole vault; add another first"
      )
    }
    guard let made else { return }
    let secret = try made.readBack(from: contents, using: rights.session.cipher.gcm)
    // A group's key has no copy here to compare with; that the box opens is what counts.
    guard made.record.scope == .zero else { return }
    let isRight = secret.withBytes { left in
      rights.root.withBytes { right in ConstantTime.equal(left, right) }
    }
    guard isRight else { throw VaultError(.inputOutput) }
  }
}
