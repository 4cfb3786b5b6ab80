import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Accepts the vault as it is, although this machine remembers a newer, another or no history of it.
  ///
  /// Every page is verified first. The counters then jump above what was remembered, so that the file that was
  /// seen before is refused from now on. Where the file has older keys than were seen here, which may be those of
  /// someone who was removed, it gets new ones in the same commit, as by a rotation that keeps only the slots that the
  /// credential opens. A credential that opens access groups alone accepts these, and makes no new keys.
  ///
  /// - Returns: What the rotation did, or `nil` where the keys are not older.
  /// - Throws: ``VaultError``: `notPermitted` where the file has older keys than were seen here and the credential opens
  ///   groups alone; `notOnThisDevice` where new keys are needed for items that are bound to another device;
  ///   `tampered`; and what `unlock(with:)` throws but for the refusals that this lifts.
  @discardableResult
  public func acceptRestore(with credential: Credential) throws(VaultError) -> RotationReport? {
    try noteUse()
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
    let acceptance = try unlocked.withRead { state throws(VaultError) in
      defer { session.forgetAll() }
      try requireNoLock(since: lockCount, state)
      guard let opened = opened.take() else { throw VaultError(.inputOutput) }
      return try accept(opened, credential, session)
    }
    notePath(of: acceptance.vaultID)
    if acceptance.rotation != nil { forgetAllKeys(telling: .keysRotated) }
    return acceptance.rotation
  }

  /// Notes which vault is at the path from now on.
  func notePath(of vaultID: Identifier) {
    do { try anchors?.record(vaultID, at: location.path) } catch { note(.anchorNotWritten) }
  }

  private func accept(
    _ opened: consuming OpenedVault,
    _ credential: Credential,
    _ session: Session
  ) throws(VaultError) -> Acceptance {
    let vaultID = opened.contents.head.vaultID
    let open = opened.open
    let rootEpoch = opened.contents.head.rootEpoch
    guard let root = opened.root.take() else {
      return try inAcceptingTransaction(session) { () throws(VaultError) in
        Acceptance(vaultID: vaultID, positions: try acceptGroups(open, session))
      }
    }
    let rights = VaultAdministration.Rights(
      root: root,
      vaultID: vaultID,
      open: open,
      session: session,
      credential: credential
    )
    return try inAcceptingTransaction(session) { () throws(VaultError) in
      let head = try VaultContents(reading: session.connection).head
      guard head.rootEpoch == rootEpoch else { throw VaultError(.keysRotated) }
      return try accept(rights)
    }
  }

  private func inAcceptingTransaction(
    _ session: Session,
    _ body: () throws(VaultError) -> Acceptance
  ) throws(VaultError) -> Acceptance {
    try withWriteLock { () throws(VaultError) in
      try beginWrite(session.connection)
      defer { session.connection.rollback() }
      let acceptance = try body()
      try requireNoPendingLock()
      do { try session.connection.commit() } catch { throw VaultError(translating: error) }
      remember(acceptance)
      drain.request(self)
      return acceptance
    }
  }
}
