import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Lists the items that match, without their secrets, as they are at one moment.
  ///
  /// What cannot be looked into is counted by its reason. A lock that comes meanwhile ends the call.
  ///
  /// - Throws: ``VaultError``: `locked` before the first unlock and for a lock meanwhile, `notPermitted`
  ///   for a group that the credential did not open, `tampered`.
  public func items(matching query: ItemQuery = .all) throws(VaultError) -> ItemListing {
    try perform { open, session throws(VaultError) in
      let groups =
        try query.group.map { name throws(VaultError) in
          [try open.group(named: name, using: session)]
        } ?? open.groups
      let known = KnownSnapshots(of: groups)
      return try session.inReadTransaction { () throws(VaultError) in
        var scan = ListingScan(query: query, open: open)
        var total: UInt64 = 0
        for group in groups {
          let snapshot = try session.refresh(group, known: known[group])
          total += snapshot.branches.totalItems
          try session.forEachPage(in: snapshot, of: group) { page throws(VaultError) in
            try requireNoPendingLock()
            try scan.add(page, of: group)
          }
        }
        try scan.read(with: session, total: total) { () throws(VaultError) in
          try requireNoPendingLock()
        }
        return scan.listing
      }
    }
  }
}

/// One pass over the verified claims of some groups, and then over their attributes in the order of the file.
private struct ListingScan {
  private struct Candidate {
    let box: UInt64
    let page: Int
    let index: Int
  }

  private let query: ItemQuery
  private let open: OpenGroups
  private var pages: [(page: ClaimPage, group: OpenGroup)] = []
  private var candidates: [Candidate] = []
  private(set) var listing = ItemListing()

  init(query: ItemQuery, open: OpenGroups) {
    self.query = query
    self.open = open
  }

  /// Sorts the claims of a page into what can be read and what is counted only.
  mutating func add(_ page: ClaimPage, of group: OpenGroup) throws(VaultError) {
    do {
      for index in 0..<page.count {
        let claim = try page.claim(at: index)
        guard let kind = ItemKind(byte: claim.kind), !claim.flags.contains(.tombstone),
          let accessibility = ClassByte(rawValue: claim.accessibility),
          query.matches(kind, accessibility, claim.flags)
        else { continue }
        if accessibility.isDeviceBound, claim.deviceID != open.deviceID {
          listing.otherDeviceCount += 1
        } else if !group.keys.opens(accessibility) {
          listing.lockedCount += 1
        } else {
          candidates.append(Candidate(box: claim.box, page: pages.count, index: index))
        }
      }
      pages.append((page, group))
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Opens the attributes of every candidate: one by one where they are few, else in one walk along the file.
  mutating func read(
    with session: Session,
    total: UInt64,
    checkingEachRow check: () throws(VaultError) -> Void
  ) throws(VaultError) {
    candidates.sort { $0.box < $1.box }
    listing.items.reserveCapacity(candidates.count)
    if candidates.count * 8 < Int(clamping: total) {
      try readSeparately(with: session, check)
    } else {
      try readInOneWalk(with: session, check)
    }
  }

  private mutating func readSeparately(
    with session: Session,
    _ check: () throws(VaultError) -> Void
  ) throws(VaultError) {
    for candidate in candidates {
      try check()
      let (page, group) = pages[candidate.page]
      var failure: VaultError?
      do {
        try session.connection.withBox(
          .attributes,
          box: Int64(clamping: candidate.box),
          groupRow: group.row
        ) { _, _, box in
          guard let box else {
            failure = VaultError(.tampered)
            return
          }
          do throws(VaultError) {
            try take(box, page, candidate.index, group, session)
          } catch {
            failure = error
          }
        }
      } catch {
        throw VaultError(translating: error)
      }
      if let failure { throw failure }
    }
  }

  private mutating func readInOneWalk(
    with session: Session,
    _ check: () throws(VaultError) -> Void
  ) throws(VaultError) {
    var next = 0
    var batch = SealedAttributes()
    var failure: VaultError?
    do {
      try session.connection.forEachAttributes { id, box in
        do throws(VaultError) {
          while next < candidates.count, candidates[next].box <= UInt64(clamping: id) {
            let candidate = candidates[next]
            // The walk is past it: a claim whose box is missing is tampering.
            guard candidate.box == UInt64(clamping: id) else { throw VaultError(.tampered) }
            let (page, group) = pages[candidate.page]
            let row = page.rows.span.extracting(page.rowRange(at: candidate.index))
            batch.append(box, of: row, in: group)
            next += 1
          }
          if batch.isFull {
            try check()
            try open(&batch, with: session)
          }
          return next < candidates.count
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      throw VaultError(translating: error)
    }
    if let failure { throw failure }
    guard next == candidates.count else { throw VaultError(.tampered) }
    try check()
    try open(&batch, with: session)
  }

  private mutating func open(
    _ batch: inout SealedAttributes,
    with session: Session
  ) throws(VaultError) {
    let opened = try batch.open(with: session, matching: query)
    listing.items += opened.items
    listing.unsupportedCount += opened.unsupportedCount
    batch.removeAll()
  }

  private mutating func take(
    _ box: Span<UInt8>,
    _ page: ClaimPage,
    _ index: Int,
    _ group: OpenGroup,
    _ session: Session
  ) throws(VaultError) {
    let row = page.rows.span.extracting(page.rowRange(at: index))
    do {
      let item = try session.cipher.item(
        box,
        row: row,
        in: group,
        named: group.name ?? query.group,
        matching: query
      )
      if let item { listing.items.append(item) }
    } catch  where error.code == .unsupportedVersion {
      listing.unsupportedCount += 1
    }
  }
}
