import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Accepts the vault as it is, although this machine remembers a newer, another or no history of it.
  ///
  /// Every page is verified first. The counters then jump above what was remembered, so that the file that was
  /// seen before is refused from now on.
  ///
  /// - Throws: ``VaultError``: `notPermitted` where the file has older keys than were seen here, which needs a
  ///   rotation; `tampered`; and what `unlock(with:)` throws but for the refusals that this lifts.
  public func acceptRestore(with credential: Credential) throws(VaultError) {
    try requireOwnProcess()
    guard access == .readWrite else { throw VaultError(.readOnly) }
    let lockCount = lockCount
    let session = try sessions.makeSession()
    defer { session.connection.close() }
    var opened = Optional(
      try VaultOpening(
        store: self,
        credential: credential,
        keepsRoot: true,
        acceptsAnyPosition: true
      )
      .run(session)
    )
    // A lock that comes now waits until the keys are gone again.
    let vaultID = try unlocked.withRead { state throws(VaultError) in
      defer { session.forgetAll() }
      try requireNoLock(since: lockCount, state)
      guard var opened = opened.take(), let root = opened.root.take()
      else { throw VaultError(.notPermitted) }
      let rights = VaultAdministration.Rights(
        root: root,
        vaultID: opened.contents.head.vaultID,
        open: opened.open,
        session: session,
        file: nil
      )
      try acceptInTransaction(rights)
      return rights.vaultID
    }
    do { try anchors?.record(vaultID, at: location.path) } catch { note(.anchorNotWritten) }
  }

  private func acceptInTransaction(
    _ rights: borrowing VaultAdministration.Rights
  ) throws(VaultError) {
    let session = rights.session
    try withWriteLock { () throws(VaultError) in
      do { try session.connection.beginWrite() } catch { throw VaultError(translating: error) }
      defer { session.connection.rollback() }
      try accept(rights)
    }
  }

  private func accept(_ rights: borrowing VaultAdministration.Rights) throws(VaultError) {
    let session = rights.session
    let contents = try VaultContents(reading: session.connection)
    try contents.requireAdminTag(rights.root)
    let rootAnchor = try anchor(rights.vaultID, scope: .zero)
    try Self.requireEpoch(contents.head.rootEpoch, notBefore: rootAnchor)
    var finished: [(group: OpenGroup, snapshot: GroupSnapshot)] = []
    for group in rights.open.groups {
      try Self.requireEpoch(group.scope.epoch, notBefore: group.anchor)
      let base = try session.refresh(group, known: group.snapshot)
      try session.forEachPage(in: base, of: group) { _ in }
      let working = try WorkingGroup(
        group,
        at: base,
        session: session,
        accepting: group.anchor?.remembered
      )
      finished.append((group, try working.finish(isRestore: true)))
    }
    let head = try writeHead(
      contents,
      slots: contents.slotRows,
      rootAnchor,
      rights,
      accepting: rootAnchor?.remembered
    )
    do { try session.connection.commit() } catch { throw VaultError(translating: error) }
    acceptInAnchor(rootAnchor, head)
    for (group, snapshot) in finished { acceptInAnchor(group.anchor, snapshot.verified) }
    drain.request(self)
  }

  /// A former member's key would live again with an older epoch; only new keys could prevent that.
  private static func requireEpoch(
    _ epoch: UInt64,
    notBefore anchor: Anchor?
  ) throws(VaultError) {
    guard let known = anchor?.remembered, epoch < known.position.epoch else { return }
    throw VaultError(
      .notPermitted,
      "the file has older keys than were seen here; restore a newer backup"
    )
  }

  private func acceptInAnchor(_ anchor: Anchor?, _ verified: VerifiedPosition) {
    do { try anchor?.advance(to: verified, isAccepted: true) } catch { note(.anchorNotWritten) }
  }
}
