import VaultFormat

extension SecretStore {
  /// Makes the changes of a transaction in one commit.
  ///
  /// - Returns: Whether everything that was read is still as it was, and so the changes were made.
  func apply(_ transaction: StoreTransaction) throws(VaultError) -> Bool {
    guard !transaction.isStale else { return false }
    guard !transaction.changes.isEmpty else { return try isOfOneState(transaction) }
    return try commit { commit throws(VaultError) in
      for (place, version) in transaction.readVersions {
        let group = try commit.group(of: place)
        let current = try commit.usableClaim(place.lookup, in: group)?.version ?? 0
        guard current == version else { return false }
      }
      var application = TransactionApplication(commit: commit)
      for (identity, place, change) in transaction.changes {
        try requireNoPendingLock()
        try application.apply(change, to: identity, at: place)
      }
      try application.finish()
      return true
    }
  }

  /// Whether what a closure threw may come from seeing two states.
  func mayMixStates(_ transaction: StoreTransaction) -> Bool {
    if transaction.isStale { return true }
    do { return try !isOfOneState(transaction) } catch { return false }
  }

  /// Whether the items that were read go together: one state of the vault has them all as they were read.
  private func isOfOneState(_ transaction: StoreTransaction) throws(VaultError) -> Bool {
    guard transaction.readVersions.count > 1 else { return true }
    return try perform(isUse: false) { open, session throws(VaultError) in
      let known = KnownSnapshots(of: open.groups)
      return try session.inReadTransaction { () throws(VaultError) in
        for (place, version) in transaction.readVersions {
          let group = try open.group(of: place)
          let snapshot = try session.refresh(group, known: known[group])
          guard try session.version(at: place.lookup, snapshot, of: group) == version
          else { return false }
        }
        return true
      }
    }
  }
}

extension Session {
  /// The version of the item at a lookup, 0 where there is none; inside a transaction that sees `snapshot`.
  fileprivate func version(
    at lookup: Digest,
    _ snapshot: GroupSnapshot,
    of group: OpenGroup
  ) throws(VaultError) -> UInt64 {
    guard let page = try page(ClaimPage.number(of: lookup), in: snapshot, of: group),
      let index = page.liveIndex(of: lookup)
    else { return 0 }
    do { return try page.claim(at: index).version } catch { throw VaultError(translating: error) }
  }
}

/// Applies the changes of a transaction in their order.
private struct TransactionApplication {
  let commit: Commit
  /// Claims that were taken from their place; a rename puts one back elsewhere, with item id and box.
  private var taken: [Identifier: StoredItem] = [:]
  private var queue = RowQueue()

  init(commit: Commit) {
    self.commit = commit
  }

  mutating func apply(
    _ change: StoreTransaction.Change,
    to identity: ItemIdentity,
    at place: ItemPlace
  ) throws(VaultError) {
    if queue.contains(place) { try queue.finish(in: commit) }
    if queue.isFull { try queue.advance(in: commit) }
    let group = try commit.group(of: place)
    let lookup = place.lookup
    switch change {
    case .remove:
      try queue.finish(in: commit)
      guard let claim = try commit.usableClaim(lookup, in: group) else { return }
      try commit.working(group).remove(lookup)
      commit.note(formerName: identity, of: claim.itemID)
      taken[claim.itemID] = StoredItem(claim: claim, group: group)
    case .setSecret(let secret):
      var new = NewItem(item: SecretItem(identity: identity), secret: secret)
      let old = try commit.storedItem(lookup, in: group)
      if let old { new.item = try commit.item(of: old.claim, in: group) }
      queue.append(try commit.prepare(new, replacing: old, lookup: lookup, in: group), at: place)
    case .put(let new):
      var old = try commit.storedItem(lookup, in: group)
      if old == nil, let id = new.item.storedID { old = taken.removeValue(forKey: id) }
      queue.append(try commit.prepare(new, replacing: old, lookup: lookup, in: group), at: place)
    }
  }

  /// Writes what waits, and ends what was removed and not put back.
  mutating func finish() throws(VaultError) {
    try queue.finish(in: commit)
    // Their claims are gone; by now another item may have the place.
    for stored in taken.values { try commit.removeBox(of: stored.claim) }
  }
}
