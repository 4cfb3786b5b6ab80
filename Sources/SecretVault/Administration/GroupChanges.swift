import VaultCrypto
import VaultDatabase
import VaultFormat

extension VaultAdministration {
  /// Adds an access group without items; a store sees it from its next unlock on.
  ///
  /// - Throws: ``VaultError``: `duplicateItem` where a group has that name, `invalidArgument` for a name that is
  ///   empty or longer than 252 bytes, `limitExceeded` where there are 1 024 groups.
  package func createGroup(_ name: String) throws(VaultError) {
    guard store.access == .readWrite else { throw VaultError(.readOnly) }
    try withRights { rights throws(VaultError) in
      let session = rights.session
      let rootAnchor = try store.anchor(rights.vaultID, scope: .zero)
      try store.withWriteLock { () throws(VaultError) in
        do { try session.connection.beginWrite() } catch { throw VaultError(translating: error) }
        defer { session.connection.rollback() }
        let contents = try authenticContents(rights)
        guard contents.groups.count < Limits.groups else { throw VaultError(.limitExceeded) }
        try requireFree(name, among: contents, rights)
        let new = try makeGroup(name, rights)
        let head = try store.writeHead(
          contents,
          slots: contents.slotRows,
          groups: contents.groups + [new.record],
          rootAnchor,
          rights
        )
        do {
          try new.insert(into: session.connection)
          try session.connection.commit()
        } catch {
          throw VaultError(translating: error)
        }
        publish(head)
        store.advance(rootAnchor, to: head)
        store.drain.request(store)
      }
    }
  }

  /// Throws where a group has that name; names are bytes.
  private func requireFree(
    _ name: String,
    among contents: VaultContents,
    _ rights: borrowing Rights
  ) throws(VaultError) {
    let opening = GroupOpening(
      vaultID: rights.vaultID,
      connection: rights.session.connection,
      cipher: rights.session.cipher.gcm
    )
    for (record, row) in zip(contents.groups, contents.groupRows) {
      let key = try opening.groupKey(of: record, root: rights.root)
      let scope = ManifestScope(vaultID: rights.vaultID, groupID: record.id, epoch: record.epoch)
      guard opening.name(in: row, scope, key: key) != Array(name.utf8) else {
        throw VaultError(.duplicateItem, "a group of that name exists; choose another")
      }
    }
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
}
