import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// What was accepted, before it is committed.
  struct Acceptance {
    /// A position that was accepted, and the anchor that is to remember it once it is committed.
    struct Position {
      let anchor: Anchor?
      let verified: VerifiedPosition
    }

    let vaultID: Identifier
    var positions: [Position] = []
    /// What was done to give the file new keys, or `nil` where its keys were not older.
    var rotation: RotationReport?
  }

  /// Verifies every page and lifts every counter in an open write transaction, above what this machine remembers and
  /// above `known`: the positions, by scope, of the vault that this one takes the place of.
  ///
  /// Keys that are older than any of those are replaced. The session of `rights` need not be on the vault's own file. The
  /// caller commits, and lets the anchors ``remember(_:)`` only then.
  func accept(
    _ rights: borrowing VaultAdministration.Rights,
    succeeding known: [Identifier: VerifiedPosition] = [:]
  ) throws(VaultError) -> Acceptance {
    let session = rights.session
    let contents = try VaultContents(reading: session.connection)
    try contents.requireAdminTag(rights.root)
    let rootAnchor = try anchor(rights.vaultID, scope: .zero)
    let open = try openGroups(contents, rights)
    var latest = known
    latest[.zero] = .latest(rootAnchor?.remembered, known[.zero])
    for group in open {
      let id = group.scope.groupID
      latest[id] = .latest(group.anchor?.remembered, known[id])
    }
    let plan = try RotationPlan(accepting: contents, insteadOf: latest)
    var acceptance = Acceptance(vaultID: rights.vaultID)
    for group in open where plan.groupEpochs[group.scope.groupID] == nil {
      acceptance.positions.append(try accept(group, insteadOf: latest, session))
    }
    if plan.isEmpty {
      let head = try writeHead(
        contents,
        slots: contents.slotRows,
        rootAnchor,
        rights,
        accepting: latest[.zero]
      )
      acceptance.positions.append(Acceptance.Position(anchor: rootAnchor, verified: head))
    } else {
      let writing = RotationWriting(
        store: self,
        contents: contents,
        plan: plan,
        open: open,
        accepted: latest
      )
      try replaceOlderKeys(writing, rootAnchor, rights, &acceptance)
    }
    return acceptance
  }

  /// Gives the file new keys inside its transaction.
  ///
  /// It is rare and nobody else can use the file meanwhile, so passphrases are stretched and rows sealed here as well.
  private func replaceOlderKeys(
    _ writing: RotationWriting,
    _ rootAnchor: Anchor?,
    _ rights: borrowing VaultAdministration.Rights,
    _ acceptance: inout Acceptance
  ) throws(VaultError) {
    let keys = try RotatedKeys(writing.plan, writing.contents, writing.open, rights, self)
    let slots = try RotationSlots(Rotation(), rights.credential, self)
      .change(writing.contents, writing.plan, keys, rights, self)
    let rows = RotationRows(
      deviceID: rights.open.deviceID,
      slots: slots.rows,
      removesItemsOfOtherDevices: false
    )
    let sealing = try RotationSealing(self, rights.session, rows)
    let written = try writing.write(keys, slots, sealing, rootAnchor, rights)
    _ = try writing.readBack(written, keys, slots, rights)
    var report = sealing.report
    report.droppedSlots = try writing.summaries(of: slots.dropped, rights)
    acceptance.rotation = report
    acceptance.positions += written.groups.map { group, snapshot in
      Acceptance.Position(anchor: group.anchor, verified: snapshot.verified)
    }
    acceptance.positions.append(Acceptance.Position(anchor: rootAnchor, verified: written.head))
  }

  /// Accepts groups without the head, which their keys cannot authenticate.
  ///
  /// - Throws: ``VaultError`` with the code `notPermitted` where one has an older key than was seen here: only who
  ///   opens the whole vault can make a new one.
  func acceptGroups(
    _ open: OpenGroups,
    _ session: Session
  ) throws(VaultError) -> [Acceptance.Position] {
    var positions: [Acceptance.Position] = []
    for group in open.groups {
      let seen = group.anchor?.remembered
      guard seen.map({ group.scope.epoch >= $0.position.epoch }) ?? true else {
        throw VaultError(
          .notPermitted,
          "the file has older keys than were seen here; accept it with a credential of the whole vault"
        )
      }
      let latest = seen.map { [group.scope.groupID: $0] } ?? [:]
      positions.append(try accept(group, insteadOf: latest, session))
    }
    return positions
  }

  private func accept(
    _ group: OpenGroup,
    insteadOf latest: [Identifier: VerifiedPosition],
    _ session: Session
  ) throws(VaultError) -> Acceptance.Position {
    let base = try session.refresh(group, known: group.snapshot)
    try session.forEachPage(in: base, of: group) { _ in }
    let working = try WorkingGroup(
      group,
      at: base,
      session: session,
      accepting: latest[group.scope.groupID]
    )
    let snapshot = try working.finish(isRestore: true)
    return Acceptance.Position(anchor: group.anchor, verified: snapshot.verified)
  }

  /// Lets the anchors remember what was accepted, whatever they remembered before.
  func remember(_ acceptance: Acceptance) {
    for each in acceptance.positions {
      do {
        try each.anchor?.advance(to: each.verified, isAccepted: true)
      } catch {
        note(.anchorNotWritten)
      }
    }
  }
}
