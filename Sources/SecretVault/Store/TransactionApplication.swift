import VaultFormat

extension SecretStore {
  /// Makes the changes of a transaction in one commit.
  ///
  /// - Returns: Whether everything that was read is still as it was, and so the changes were made.
  func apply(_ transaction: StoreTransaction) throws(VaultError) -> Bool {
    guard !transaction.isStale else { return false }
    guard !transaction.changes.isEmpty else { return true }
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
