import VaultFormat

extension SecretStore {
  /// Stores a new item.
  ///
  /// The secret may be `nil`, for an item without one.
  ///
  /// - Throws: ``VaultError``: `duplicateItem` where the identity is taken, `locked`,
  ///   `accessibilityRefused`, `limitExceeded`, `notOnThisDevice`, `busy`, `full`, `readOnly`.
  public func add(_ item: SecretItem, secret: SecretBytes?) throws(VaultError) {
    let identity = item.identity
    try commit { commit throws(VaultError) in
      let (group, lookup) = try commit.place(of: identity)
      guard try commit.usableClaim(lookup, in: group) == nil
      else { throw VaultError(.duplicateItem) }
      try commit.put(NewItem(item: item, secret: secret), replacing: nil, lookup: lookup, in: group)
    }
  }

  /// Stores a secret: in a new item, or in place of the one of that identity.
  ///
  /// What `changes` leaves out stays as it is in an existing item; a new one has the class `whenUnlocked`.
  ///
  /// With a `version` it stores only if the item has that one; 0 stands for no item.
  ///
  /// - Throws: ``VaultError``: `conflict` for another version, and what
  ///   `add(_:secret:)` throws but for `duplicateItem`.
  public func set(
    _ secret: SecretBytes,
    for identity: ItemIdentity,
    changing changes: ItemChanges,
    ifVersion version: UInt64? = nil
  ) throws(VaultError) {
    try commit { commit throws(VaultError) in
      let (group, lookup) = try commit.place(of: identity)
      let old = try commit.storedItem(lookup, in: group)
      if let version, version != old?.claim.version ?? 0 { throw VaultError(.conflict) }
      var new = NewItem(item: SecretItem(identity: identity), secret: secret)
      if let old { new.item = try commit.item(of: old.claim, in: group) }
      changes.apply(to: &new.item)
      try commit.put(new, replacing: old, lookup: lookup, in: group)
    }
  }

  /// Removes an item, and says whether there was one; with a `version` only if it has that one.
  ///
  /// - Throws: ``VaultError``: `conflict` for another version, `locked`, `notOnThisDevice`, `busy`, `full`,
  ///   `readOnly`.
  @discardableResult
  public func remove(
    _ identity: ItemIdentity,
    ifVersion version: UInt64?
  ) throws(VaultError) -> Bool {
    try commit { commit throws(VaultError) in
      let (group, lookup) = try commit.place(of: identity)
      guard let claim = try commit.usableClaim(lookup, in: group) else { return false }
      if let version, version != claim.version { throw VaultError(.conflict) }
      commit.note(formerName: identity, of: claim.itemID)
      try commit.remove(claim, in: group)
      return true
    }
  }
}

extension Commit {
  /// The item that an identity has now, unless there is none; it must be usable.
  func storedItem(_ lookup: Digest, in group: OpenGroup) throws(VaultError) -> StoredItem? {
    try usableClaim(lookup, in: group).map { StoredItem(claim: $0, group: group) }
  }

  /// The group of a place; it can have been closed since the place was found.
  func group(of place: ItemPlace) throws(VaultError) -> OpenGroup { try open.group(of: place) }

  /// The group of an identity, and its lookup there.
  func place(of identity: ItemIdentity) throws(VaultError) -> (group: OpenGroup, lookup: Digest) {
    let group = try open.group(named: identity.group, using: session)
    return (group, try session.lookup(of: identity, in: group))
  }
}

extension OpenGroups {
  /// The group of a place; it can have been closed since the place was found.
  func group(of place: ItemPlace) throws(VaultError) -> OpenGroup {
    guard let group = groups.first(where: { $0.scope.groupID == place.groupID })
    else { throw VaultError(.notPermitted) }
    return group
  }
}
