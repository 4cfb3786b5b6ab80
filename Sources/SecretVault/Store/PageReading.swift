import VaultCrypto
import VaultDatabase
import VaultFormat

/// What the cache knows of a page.
enum CachedPage {
  /// The page exists and this is it.
  case found(ClaimPage)
  /// A verified list says that there is no such page.
  case absent
  /// The file has to be read.
  case unknown
}

extension Session {
  /// Reads and verifies the state of a group inside a transaction, unless it is the known one.
  ///
  /// - Throws: ``VaultError``: `keysRotated`, also where the group is gone, `rolledBack`, `forked` or `tampered`.
  func refresh(_ group: OpenGroup, known: GroupSnapshot) throws(VaultError) -> GroupSnapshot {
    do {
      if let position = try connection.position(groupRow: group.row),
        known.matches(counter: position.counter, tag: position.tag.span)
      {
        return known
      }
      // A restore takes back a group that was made after the backup; whoever unlocks again learns whether it was one.
      guard let row = try connection.group(row: group.row) else { throw Self.groupIsGone }
      let record = try GroupRecord(parsing: row.record.span)
      guard record.id == group.scope.groupID else { throw Self.groupIsGone }
      let snapshot = try GroupSnapshot.verify(
        row,
        record: record,
        scope: group.scope,
        manifest: contexts(of: group).manifest
      )
      try snapshot.verified.requireSuccessor(of: known.verified)
      group.publish(snapshot)
      return snapshot
    } catch {
      throw VaultError(translating: error)
    }
  }

  private static var groupIsGone: VaultError {
    VaultError(.keysRotated, "an access group is gone, as after a restore; unlock the vault again")
  }

  /// Looks for a page without reading the file.
  func cachedPage(_ number: UInt16, in snapshot: GroupSnapshot) -> CachedPage {
    guard let entry = snapshot.branches.branch(ClaimPage.branch(of: number)) else { return .absent }
    return cache.page(number, inBranch: entry.tag)
  }

  /// Finds a page inside a transaction that sees `snapshot`, verifying what is read.
  ///
  /// - Returns: `nil` where a verified list has no such page.
  func page(
    _ number: UInt16,
    in snapshot: GroupSnapshot,
    of group: OpenGroup
  ) throws(VaultError) -> ClaimPage? {
    guard let branch = try branch(ClaimPage.branch(of: number), in: snapshot, of: group),
      let entry = branch.page(number)
    else { return nil }
    return try page(entry, of: group)
  }

  /// Finds the page of an entry of a verified branch.
  func page(_ entry: PageEntry, of group: OpenGroup) throws(VaultError) -> ClaimPage {
    if let known = cache.page(entry.tag) { return known }
    do {
      let (first, last) = ClaimPage.lookupRange(of: entry.number)
      var rows: [UInt8] = []
      rows.reserveCapacity(Int(entry.items) * Claim.byteCount)
      // One row more than the list promises is enough to see that there are too many.
      let count = try connection.appendClaims(
        group: group.scope.groupID.bytes.span,
        from: first.bytes.span,
        through: last.bytes.span,
        limit: Int(entry.items) + 1,
        to: &rows
      )
      let page = try ClaimPage(number: entry.number, rows: rows)
      let tag = try group.scope.pageTag(page, using: contexts(of: group).manifest)
      guard count == Int(entry.items), group.scope.areEqual(tag, entry.tag)
      else { throw VaultError(.tampered) }
      cache.insert(page, tag)
      return page
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Finds a branch inside a transaction that sees `snapshot`, verifying what is read.
  func branch(
    _ number: UInt16,
    in snapshot: GroupSnapshot,
    of group: OpenGroup
  ) throws(VaultError) -> Branch? {
    guard let entry = snapshot.branches.branch(number) else { return nil }
    if let known = cache.branch(entry.tag) { return known }
    do {
      let first = Int(number) * Limits.pagesPerBranch
      let rows = try connection.pages(
        group: group.scope.groupID.bytes.span,
        from: first,
        through: first + Limits.pagesPerBranch - 1
      )
      let pages = rows.map { row in
        PageEntry(
          number: UInt16(clamping: row.number),
          items: UInt32(clamping: row.items),
          tag: Digest(row.tag)
        )
      }
      let branch = try Branch(number: number, pages: pages)
      let tag = try group.scope.branchTag(branch, using: contexts(of: group).manifest)
      guard branch.items == entry.items, group.scope.areEqual(tag, entry.tag)
      else { throw VaultError(.tampered) }
      cache.insert(branch, tag)
      return branch
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Calls `body` with every page of a group, ascending, inside a transaction that sees `snapshot`.
  func forEachPage(
    in snapshot: GroupSnapshot,
    of group: OpenGroup,
    _ body: (ClaimPage) throws(VaultError) -> Void
  ) throws(VaultError) {
    for entry in snapshot.branches.entries {
      guard let branch = try branch(entry.number, in: snapshot, of: group) else { continue }
      for page in branch.pages { try body(try self.page(page, of: group)) }
    }
  }
}
