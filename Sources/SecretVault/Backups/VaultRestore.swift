import VaultCrypto
import VaultDatabase
import VaultFormat

/// The vault as it is before a restore.
final class PresentVault {
  let open: OpenGroups
  let root: Key<Role.Root>
  private let rootEpoch: UInt64

  init(_ contents: VaultContents, open: OpenGroups, root: consuming Key<Role.Root>) {
    rootEpoch = contents.head.rootEpoch
    self.open = open
    self.root = root
  }

  /// Where the vault is now, by scope, as a session sees it inside a transaction.
  ///
  /// - Throws: ``VaultError`` with the code `keysRotated` where it has other keys meanwhile.
  func positions(readBy session: Session) throws(VaultError) -> [Identifier: VerifiedPosition] {
    let contents = try VaultContents(reading: session.connection)
    guard contents.head.rootEpoch == rootEpoch else { throw VaultError(.keysRotated) }
    try contents.requireAdminTag(root)
    var positions = [Identifier.zero: contents.rootPosition]
    for group in open.groups {
      let snapshot = try session.refresh(group, known: group.snapshot)
      positions[group.scope.groupID] = snapshot.verified
    }
    return positions
  }
}

/// One restore, from the copy of the backup that was prepared beside the vault.
struct VaultRestore: ~Copyable {
  let store: SecretStore
  /// Of the copy.
  let rights: VaultAdministration.Rights
  let presentSession: Session
  /// `nil` where the credential does not open the vault, which may be what is to be mended.
  let present: PresentVault?
  let itemCount: Int

  /// Opens both vaults, which stretches passphrases, and verifies the copy whole.
  static func prepare(
    _ store: SecretStore,
    _ prepared: Session,
    over presentSession: Session,
    _ credential: Credential
  ) throws(VaultError) -> VaultRestore {
    try requireSameVault(prepared, presentSession)
    var opened = try BackupFile.judged { () throws(VaultError) in
      try VaultOpening(
        store: store,
        credential: credential,
        keepsRoot: true,
        acceptsAnyPosition: true
      )
      .run(prepared)
    }
    guard let root = opened.root.take() else { throw VaultError(.notPermitted) }
    let itemCount = try verify(opened.open, prepared) { () throws(VaultError) in
      try store.requireNoPendingLock()
    }
    return VaultRestore(
      store: store,
      rights: VaultAdministration.Rights(
        root: root,
        vaultID: opened.contents.head.vaultID,
        open: opened.open,
        session: prepared,
        credential: credential
      ),
      presentSession: presentSession,
      present: try openPresent(store, presentSession, credential),
      itemCount: itemCount
    )
  }

  /// Prepares the copy while nobody writes to the vault, and lets it take the vault's place.
  ///
  /// - Returns: What was done, or `nil` where the vault got new keys since it was opened; nothing is changed then.
  borrowing func run() throws(VaultError) -> RestoreReport? {
    try store.withWriteLock { () throws(VaultError) in
      guard let known = try presentPositions() else { return nil }
      let (accepted, removed) = try prepare(succeeding: known)
      do {
        try presentSession.connection.restore(from: rights.session.connection)
      } catch {
        throw VaultError(translating: error)
      }
      store.remember(accepted)
      store.notePath(of: rights.vaultID)
      store.drain.request(store)
      let lost = removed.count + (accepted.rotation?.itemsRemovedWithPassphrase ?? 0)
      return RestoreReport(
        itemCount: itemCount - lost,
        removedItems: removed.sorted(),
        rotation: accepted.rotation
      )
    }
  }

  private static func requireSameVault(
    _ prepared: Session,
    _ present: Session
  ) throws(VaultError) {
    let id = try BackupFile.judged { () throws(VaultError) in try vaultID(readBy: prepared) }
    guard try id == vaultID(readBy: present) else {
      throw VaultError(.vaultReplaced, "the backup is of another vault; name one of this vault")
    }
  }

  private static func vaultID(readBy session: Session) throws(VaultError) -> Identifier {
    try session.inReadTransaction { () throws(VaultError) in
      try VaultContents(reading: session.connection).head.vaultID
    }
  }

  /// - Returns: How many items the copy has.
  private static func verify(
    _ open: OpenGroups,
    _ session: Session,
    _ mayGoOn: () throws(VaultError) -> Void
  ) throws(VaultError) -> Int {
    let report = try session.inReadTransaction { () throws(VaultError) in
      var check = VaultCheck(open)
      try check.checkContents(session, mayGoOn)
      return check.report
    }
    guard report.isSound else {
      throw BackupFile.damaged(.tampered)
    }
    return report.verifiedCount + report.unopenedCount
  }

  private static func openPresent(
    _ store: SecretStore,
    _ session: Session,
    _ credential: Credential
  ) throws(VaultError) -> PresentVault? {
    do throws(VaultError) {
      var opened = try VaultOpening(
        store: store,
        credential: credential,
        keepsRoot: true,
        acceptsAnyPosition: true
      )
      .run(session)
      guard let root = opened.root.take() else { return nil }
      return PresentVault(opened.contents, open: opened.open, root: root)
    } catch  where [.credentialRejected, .tampered, .corruptHeader].contains(error.code) {
      return nil
    }
  }

  /// Where the vault is, by scope; what does not verify counts for nothing.
  private borrowing func presentPositions() throws(VaultError) -> [Identifier: VerifiedPosition]? {
    guard let present else { return [:] }
    do {
      return try presentSession.inReadTransaction { () throws(VaultError) in
        try present.positions(readBy: presentSession)
      }
    } catch  where error.code == .keysRotated {
      return nil
    }
  }

  /// Leaves out what belongs to other devices and lifts the counters, all in the copy.
  private borrowing func prepare(
    succeeding known: [Identifier: VerifiedPosition]
  ) throws(VaultError) -> (accepted: SecretStore.Acceptance, removed: [String]) {
    let connection = rights.session.connection
    do { try connection.beginWrite() } catch { throw VaultError(translating: error) }
    defer { connection.rollback() }
    let removed = try removeItemsOfOtherDevices()
    let accepted = try store.accept(rights, succeeding: known)
    try store.requireNoPendingLock()
    do { try connection.commit() } catch { throw VaultError(translating: error) }
    return (accepted, removed)
  }

  /// Without a device key nothing says which items are another device's, so all stay.
  private borrowing func removeItemsOfOtherDevices() throws(VaultError) -> [String] {
    guard let device = rights.open.deviceID else { return [] }
    let commit = Commit(session: rights.session, open: rights.open, random: store.random)
    var removed: [String] = []
    for group in rights.open.groups {
      var foreign: [Claim] = []
      try commit.working(group).forEachClaim { claim throws(VaultError) in
        if claim.deviceID != .zero, claim.deviceID != device { foreign.append(claim) }
      }
      for claim in foreign { try commit.remove(claim, in: group) }
      removed += foreign.map { $0.itemID.hex }
    }
    for (group, snapshot) in try commit.finish() { group.publish(snapshot) }
    return removed
  }
}
