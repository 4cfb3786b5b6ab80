import SecretMemory
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Finds items by what the keychain's calls can ask for.
  ///
  /// Where rows are locked, the search cannot tell whether they match: it throws `locked`, unless it has as
  /// many items as it wants.
  ///
  /// - Throws: ``VaultError``: `locked`, `notPermitted` for a group that is not open, `expired`,
  ///   `needsRevalidation`, `tampered`.
  package func find(
    _ search: ItemSearch,
    reading parts: ItemParts,
    using index: ItemIndex
  ) throws(VaultError) -> [FoundItem] {
    let span = unlockedSpan
    return try perform { open, session throws(VaultError) in
      try finder(search, open, session, index, span).find(parts)
    }
  }

  /// Stores a new item and returns it as it was stored.
  ///
  /// - Throws: ``VaultError``: `duplicateItem`, and before it `locked` where either the new item or the one
  ///   that has the name is; what ``add(_:secret:)`` throws.
  package func addItem(
    _ item: SecretItem,
    secret: SecretBytes?,
    in group: String
  ) throws(VaultError) -> FoundItem {
    try commit { commit throws(VaultError) in
      let (openGroup, lookup) = try commit.place(of: item.identity)
      try commit.open.requireAccess(item.accessibility.classByte, in: openGroup)
      guard try commit.isFree(lookup, in: openGroup) else { throw VaultError(.duplicateItem) }
      let new = NewItem(item: item, secret: secret)
      try commit.put(new, replacing: nil, lookup: lookup, in: openGroup)
      guard let claim = try commit.working(openGroup).claim(lookup) else {
        throw VaultError(.tampered)
      }
      let stored = try commit.item(of: claim, in: openGroup)
      return FoundItem(claim: claim, group: group, item: stored, secret: secret)
    }
  }

  /// Changes every item that matches, all in one commit, and returns how many.
  ///
  /// Where `secret` is given it becomes the secret of each; with `group` they move to that group.
  ///
  /// - Throws: ``VaultError``: `duplicateItem` where a changed item has the name of another, `locked`; what
  ///   `change` throws. Nothing is changed then.
  package func updateItems(
    _ search: ItemSearch,
    secret: SecretBytes?,
    group newGroup: String?,
    using index: ItemIndex,
    _ change: (inout SecretItem) throws(VaultError) -> Void
  ) throws(VaultError) -> Int {
    let span = unlockedSpan
    return try commit { commit throws(VaultError) in
      let finder = finder(search, commit.open, commit.session, index, span)
      let found = try finder.findInTransaction([])
      for item in found {
        try commit.update(item, secret: secret, group: newGroup, change)
      }
      return found.count
    }
  }

  /// Removes every item that matches, all in one commit, and returns how many.
  ///
  /// - Throws: ``VaultError`` with the code `locked` where one of them is; nothing is removed then.
  package func removeItems(
    _ search: ItemSearch,
    using index: ItemIndex
  ) throws(VaultError) -> Int {
    let span = unlockedSpan
    return try commit { commit throws(VaultError) in
      let finder = finder(search, commit.open, commit.session, index, span)
      let found = try finder.findInTransaction([])
      for item in found {
        let group = try commit.open.group(named: item.group, using: commit.session)
        try commit.remove(item.claim, in: group)
      }
      return found.count
    }
  }

  /// Unlocks with the credential of the lock-state provider, and says whether it has one that opens the vault.
  package func unlockWithProvider() throws(VaultError) -> Bool {
    // A file that cannot be read now, or has the old credential still, may be mended before the next call.
    guard let credential = try? provider.credential() else { return false }
    do throws(VaultError) {
      try unlock(with: credential)
    } catch  where error.code == .credentialRejected {
      return false
    }
    return true
  }

  private var unlockedSpan: UnlockedSpan {
    unlocked.withRead { UnlockedSpan(generation: $0.generation, lockCount: $0.lockCount) }
  }

  private func finder(
    _ search: ItemSearch,
    _ open: OpenGroups,
    _ session: Session,
    _ index: ItemIndex,
    _ span: UnlockedSpan
  ) -> ItemFinder {
    let reader = RowReader(session: session, open: open) { () throws(VaultError) in
      try self.requireNoPendingLock()
    }
    return ItemFinder(search, reader, index, span)
  }
}

extension Commit {
  /// Whether no item has a name; one of another device has it too.
  fileprivate func isFree(_ lookup: Digest, in group: OpenGroup) throws(VaultError) -> Bool {
    do throws(VaultError) {
      return try usableClaim(lookup, in: group) == nil
    } catch  where error.code == .notOnThisDevice {
      return false
    }
  }

  /// Changes one item, and moves it where its name or group is another then.
  fileprivate func update(
    _ found: FoundItem,
    secret: SecretBytes?,
    group newGroup: String?,
    _ change: (inout SecretItem) throws(VaultError) -> Void
  ) throws(VaultError) {
    let group = try open.group(named: found.group, using: session)
    let target = try newGroup.map { name throws(VaultError) in
      try open.group(named: name, using: session)
    }
    let claim = found.claim
    var new = NewItem(item: try item(of: claim, in: group), secret: secret)
    if secret == nil, !new.item.hasNoSecret { new.secret = try read(.secret, of: claim, in: group) }
    let identity = new.item.identity
    try change(&new.item)
    let place = target ?? group
    let lookup = try session.lookup(of: new.item.identity, in: place)
    if lookup != claim.lookup || place.scope.groupID != group.scope.groupID {
      guard try isFree(lookup, in: place) else { throw VaultError(.duplicateItem) }
      try working(group).remove(claim.lookup)
      note(formerName: identity, of: claim.itemID)
    }
    let stored = StoredItem(claim: claim, group: group)
    try put(new, replacing: stored, lookup: lookup, in: place)
  }
}
