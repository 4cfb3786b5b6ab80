import VaultCrypto
import VaultDatabase
import VaultFormat

/// One pass over a whole vault that goes on after damage.
struct VaultCheck {
  var report = CheckReport()
  var open: OpenGroups
  private var itemIDs: Set<Identifier> = []
  private var revs: Set<Salt> = []
  private var boxes: Set<UInt64> = []

  /// Starts a pass over groups that are open.
  init(_ open: OpenGroups) {
    self.open = open
  }

  /// Checks the structure of the file and all that the groups hold, inside a transaction, as long as `mayGoOn` does
  /// not throw.
  mutating func checkContents(
    _ session: Session,
    _ mayGoOn: () throws(VaultError) -> Void
  ) throws(VaultError) {
    try checkStructure(session)
    for group in open.groups { try checkGroup(group, session, mayGoOn) }
    try checkBoxes(session)
  }

  private mutating func checkStructure(_ session: Session) throws(VaultError) {
    let isSound = try nilIfDamaged { () throws(DatabaseError) in
      try session.connection.integrityCheck()
    }
    if isSound != true {
      report.damage("the structure of the file is damaged; restore a backup")
    }
  }

  mutating func checkSlots(_ contents: VaultContents) {
    for slot in contents.slots where slot.factors.contains(.passphrase) {
      if slot.logN < Limits.smallestWrittenLogN {
        report.advise("slot \(slot.id.hex) is weaker than new ones; change its passphrase")
      }
    }
    if contents.slots.filter({ $0.scope == .zero }).count == 1 {
      report.advise("only one slot opens the vault; add a recovery code or a second key")
    }
  }

  /// Checks a group page by page, as long as `mayGoOn` does not throw.
  ///
  /// What fails for another reason than damage ends the check.
  private mutating func checkGroup(
    _ group: OpenGroup,
    _ session: Session,
    _ mayGoOn: () throws(VaultError) -> Void
  ) throws(VaultError) {
    let snapshot: GroupSnapshot
    do throws(VaultError) {
      snapshot = try session.refresh(group, known: group.snapshot)
    } catch  where [.tampered, .rolledBack, .forked].contains(error.code) {
      report.damage("access group \(group.scope.groupID.hex): \(error.message)")
      return
    }
    if group.name == nil {
      report.damage(
        "the name of access group \(group.scope.groupID.hex) is damaged; restore a backup"
      )
    }
    for entry in snapshot.branches.entries {
      var pages: [PageEntry] = []
      do throws(VaultError) {
        pages = try session.branch(entry.number, in: snapshot, of: group)?.pages ?? []
      } catch  where error.code == .tampered {
        report.damage("branch \(entry.number) of a group was tampered with; restore a backup")
      }
      for page in pages {
        try mayGoOn()
        try checkPage(page, group, snapshot, session)
      }
    }
    try checkForStrayPages(group, snapshot, session)
    try checkForStrayClaims(group, snapshot, session)
  }

  private mutating func checkPage(
    _ entry: PageEntry,
    _ group: OpenGroup,
    _ snapshot: GroupSnapshot,
    _ session: Session
  ) throws(VaultError) {
    let page: ClaimPage
    do throws(VaultError) {
      page = try session.page(entry, of: group)
    } catch  where error.code == .tampered {
      report.damage("page \(entry.number) of a group was tampered with; restore a backup")
      return
    }
    for index in 0..<page.count {
      try checkRow(page.rows.span.extracting(page.rowRange(at: index)), group, snapshot, session)
    }
  }

  private mutating func checkRow(
    _ row: Span<UInt8>,
    _ group: OpenGroup,
    _ snapshot: GroupSnapshot,
    _ session: Session
  ) throws(VaultError) {
    guard let claim = try? Claim(parsing: row) else { return }
    let isUnique = itemIDs.insert(claim.itemID).inserted && revs.insert(claim.rev).inserted
    if !boxes.insert(claim.box).inserted || !isUnique {
      report.damage("item \(claim.itemID.hex) shares what must be its own; restore a backup")
    }
    guard let accessibility = ClassByte(rawValue: claim.accessibility),
      group.keys.opens(accessibility),
      !accessibility.isDeviceBound || claim.deviceID == open.deviceID
    else {
      report.unopenedCount += 1
      return
    }
    var item: ItemIdentity?
    var flaw = "item \(claim.itemID.hex) was tampered with; delete it, or restore a backup"
    do throws(VaultError) {
      guard case .done(let read) = try session.readItem(row, at: snapshot, in: group)
      else { throw VaultError(.tampered) }
      item = read.identity
      _ = try session.read(.secret, row: row, at: snapshot, in: group)
      // The present secret is sound, and would go with the item.
      flaw = "the earlier secrets of item \(claim.itemID.hex) were tampered with;"
      flaw += " drop them by edit --history 0, or restore a backup"
      _ = try session.readHistory(of: read, row: row, at: snapshot, in: group)
      report.verifiedCount += 1
    } catch  where error.code == .unsupportedVersion {
      report.unopenedCount += 1
    } catch  where error.code == .tampered {
      report.damage(flaw, of: item)
    }
  }

  /// Pages that no verified branch covers.
  private mutating func checkForStrayPages(
    _ group: OpenGroup,
    _ snapshot: GroupSnapshot,
    _ session: Session
  ) throws(VaultError) {
    for number in 0..<Limits.branches where snapshot.branches.branch(number) == nil {
      let first = Int(number) * Limits.pagesPerBranch
      let pages = try nilIfDamaged { () throws(DatabaseError) in
        try session.connection.pages(
          group: group.scope.groupID.bytes.span,
          from: first,
          through: first + Limits.pagesPerBranch - 1
        )
      }
      if pages?.isEmpty != true {
        report.damage("the list of items holds pages that no branch covers; restore a backup")
        return
      }
    }
  }

  /// Claims that no verified page covers.
  private mutating func checkForStrayClaims(
    _ group: OpenGroup,
    _ snapshot: GroupSnapshot,
    _ session: Session
  ) throws(VaultError) {
    let total = Int(clamping: snapshot.branches.totalItems)
    var rows: [UInt8] = []
    let first = Digest(repeating: 0x00)
    let last = Digest(repeating: 0xff)
    let count = try nilIfDamaged { () throws(DatabaseError) in
      try session.connection.appendClaims(
        group: group.scope.groupID.bytes.span,
        from: first.bytes.span,
        through: last.bytes.span,
        limit: total + 1,
        to: &rows
      )
    }
    if count != total {
      report.damage("the list of items holds rows that no page covers; restore a backup")
    }
  }

  /// Boxes that no claim names are garbage: harmless, but not of our making.
  private mutating func checkBoxes(_ session: Session) throws(VaultError) {
    var garbage = 0
    let isRead: Void? = try nilIfDamaged { () throws(DatabaseError) in
      try session.connection.forEachBox { sizes in
        if !boxes.contains(UInt64(clamping: sizes.box)) { garbage += 1 }
        return true
      }
    }
    if isRead == nil { report.damage("the list of boxes is damaged; restore a backup") }
    if garbage > 0 {
      report.advise("\(garbage) boxes belong to no item; they are ignored")
    }
  }
}
