import VaultCrypto
import VaultDatabase
import VaultFormat

extension VaultAdministration {
  /// Adds an access group without items.
  ///
  /// The store of this administration can use it at once where it is unlocked with a credential of the whole vault; any
  /// other sees it from its next unlock on.
  ///
  /// - Throws: ``VaultError``: `duplicateItem` where a group has that name, byte for byte, `invalidArgument` for a name
  ///   that is empty or longer than 252 bytes, `limitExceeded` where there are 1 024 groups.
  public func createGroup(_ name: String) throws(VaultError) {
    guard store.access == .readWrite else { throw VaultError(.readOnly) }
    let opened = try withRights { rights throws(VaultError) in
      let rootAnchor = try store.anchor(rights.vaultID, scope: .zero)
      return try store.withWriteLock { () throws(VaultError) in
        try commitGroup(named: name, rootAnchor, rights)
      }
    }
    add(opened.forAdministration)
    store.add(opened.forStore)
  }

  /// A new group, opened once for each that a lock wipes by itself.
  private struct OpenedTwice {
    let forAdministration: OpenGroup
    let forStore: OpenGroup
  }

  private func commitGroup(
    named name: String,
    _ rootAnchor: Anchor?,
    _ rights: borrowing Rights
  ) throws(VaultError) -> OpenedTwice {
    let connection = rights.session.connection
    do { try connection.beginWrite() } catch { throw VaultError(translating: error) }
    defer { connection.rollback() }
    let contents = try authenticContents(rights)
    guard contents.groups.count < Limits.groups else {
      throw VaultError(.limitExceeded, "a vault has at most 1024 access groups; use one of them")
    }
    guard try record(ofGroupNamed: name, contents, rights) == nil else {
      throw VaultError(.duplicateItem, "a group of that name exists; choose another")
    }
    let new = try makeGroup(name, rights)
    let head = try store.writeHead(
      contents,
      slots: contents.slotRows,
      groups: contents.groups + [new.record],
      rootAnchor,
      rights
    )
    do { try new.insert(into: connection) } catch { throw VaultError(translating: error) }
    // One anchor for both, since each new one would name this machine anew among the writers.
    let anchor = try store.anchor(rights.vaultID, scope: new.record.id)
    let opened = OpenedTwice(
      forAdministration: try open(new.record, anchor, rights),
      forStore: try open(new.record, anchor, rights)
    )
    do { try connection.commit() } catch { throw VaultError(translating: error) }
    publish(head)
    store.advance(rootAnchor, to: head)
    store.advance(anchor, to: opened.forStore.snapshot.verified)
    store.drain.request(store)
    return opened
  }

  private func makeGroup(
    _ name: String,
    _ rights: borrowing Rights
  ) throws(VaultError) -> NewGroup {
    do {
      return try GroupMaking(
        vaultID: rights.vaultID,
        random: store.random,
        cipher: rights.session.cipher.gcm
      )
      .make(named: name, root: rights.root)
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Opens a group that this transaction has written.
  private func open(
    _ record: GroupRecord,
    _ anchor: Anchor?,
    _ rights: borrowing Rights
  ) throws(VaultError) -> OpenGroup {
    let rows: [GroupRow]
    do { rows = try rights.session.connection.groups() } catch {
      throw VaultError(translating: error)
    }
    guard let row = rows.first(where: { Identifier($0.id) == record.id }) else {
      throw VaultError(.inputOutput)
    }
    let opening = groupOpening(rights)
    return try opening.open(
      row,
      record,
      key: try opening.groupKey(of: record, root: rights.root),
      device: try store.deviceKey(),
      anchor: anchor
    )
  }
}

extension SecretStore {
  /// Makes a group ready that was made just now, where the credential would have opened it too.
  fileprivate func add(_ group: OpenGroup) {
    unlocked.withWrite { state in
      guard state.phase == .unlocked, state.open.isWhole,
        // An unlock may have come since.
        !state.open.groups.contains(where: { $0.scope.groupID == group.scope.groupID })
      else { return }
      state.open.groups.append(group)
    }
  }
}
