import VaultCrypto
import VaultFormat

/// Finds the items of one search, in the groups that are open.
struct ItemFinder {
  let search: ItemSearch
  let reader: RowReader
  let index: ItemIndex
  let span: UnlockedSpan
  /// The names that items can have which match, where the search gives whole ones.
  private let inputs: [LookupInput]?

  init(_ search: ItemSearch, _ reader: RowReader, _ index: ItemIndex, _ span: UnlockedSpan) {
    self.search = search
    self.reader = reader
    self.index = index
    self.span = span
    inputs = search.lookupInputs
  }

  /// Finds items, all at one state of the vault.
  func find(_ parts: ItemParts) throws(VaultError) -> [FoundItem] {
    if let inputs {
      // Each name is read at a state of its own: of several, an item that moves meanwhile from one to another
      // could be missed or come twice.
      let isOneName = inputs.count * search.groups.count == 1
      if isOneName || search.limit == 1 {
        let found = try find(inputs, parts)
        if isOneName || isEnough(found) { return found }
      }
    }
    let known = KnownSnapshots(of: reader.open.groups)
    return try reader.session.inReadTransaction { () throws(VaultError) in
      try find(parts, following: known)
    }
  }

  /// Finds items inside the session's write transaction, beside which nobody commits.
  func findInTransaction(_ parts: ItemParts) throws(VaultError) -> [FoundItem] {
    try find(parts, following: KnownSnapshots(of: reader.open.groups))
  }

  private func find(
    _ parts: ItemParts,
    following known: KnownSnapshots
  ) throws(VaultError) -> [FoundItem] {
    var found: [FoundItem] = []
    var includesLocked = false
    for name in search.groups where !isEnough(found) {
      let group = try reader.open.group(named: name, using: reader.session)
      let snapshot = try reader.session.refresh(group, known: known[group])
      let candidates = try candidates(in: group, at: snapshot)
      includesLocked = includesLocked || candidates.includesLocked
      for lookup in candidates.lookups where !isEnough(found) {
        try reader.checkLock()
        let item = try unlessLocked(&includesLocked) { () throws(VaultError) in
          try read(lookup, in: group, named: name, at: snapshot, parts)
        }
        if let item { found.append(item) }
      }
    }
    // What was not looked into may match as well.
    if includesLocked, !isEnough(found) { throw VaultError(.locked) }
    return found
  }

  private func find(_ inputs: [LookupInput], _ parts: ItemParts) throws(VaultError) -> [FoundItem] {
    var found: [FoundItem] = []
    var includesLocked = false
    for name in search.groups where !isEnough(found) {
      let group = try reader.open.group(named: name, using: reader.session)
      for input in inputs where !isEnough(found) {
        let lookup = try lookup(input, in: group)
        let item = try unlessLocked(&includesLocked) { () throws(VaultError) in
          try find(lookup, in: group, named: name, parts)
        }
        if let item { found.append(item) }
      }
    }
    if includesLocked, !isEnough(found) { throw VaultError(.locked) }
    return found
  }

  /// Reads one item; one that is locked is noted, for those that can be read may be as many as are wanted.
  private func unlessLocked(
    _ includesLocked: inout Bool,
    _ read: () throws(VaultError) -> FoundItem?
  ) throws(VaultError) -> FoundItem? {
    do throws(VaultError) {
      return try read()
    } catch  where error.code == .locked {
      includesLocked = true
      return nil
    }
  }

  /// Looks at verified rows in memory first, which only the reading of a box shows to be of the present state.
  private func find(
    _ lookup: Digest,
    in group: OpenGroup,
    named name: String,
    _ parts: ItemParts
  ) throws(VaultError) -> FoundItem? {
    func find(inTransaction: Bool) throws(VaultError) -> FoundItem?? {
      try reader.session.withRow(lookup, in: group, startsInTransaction: inTransaction) {
        row,
        snapshot throws(VaultError) in
        try read(row, in: group, named: name, at: snapshot, parts)
      }
    }
    if !parts.isEmpty {
      guard let match = try find(inTransaction: false) else { return nil }
      if let match { return match }
    }
    return try find(inTransaction: true) ?? nil
  }

  private func candidates(
    in group: OpenGroup,
    at snapshot: GroupSnapshot
  ) throws(VaultError) -> Candidates {
    guard let inputs else {
      return try index.candidates(for: search, in: group, at: snapshot, during: span, with: reader)
    }
    return Candidates(
      lookups: try inputs.map { input throws(VaultError) in try lookup(input, in: group) }
    )
  }

  private func read(
    _ lookup: Digest,
    in group: OpenGroup,
    named name: String,
    at snapshot: GroupSnapshot,
    _ parts: ItemParts
  ) throws(VaultError) -> FoundItem? {
    let number = ClaimPage.number(of: lookup)
    guard let page = try reader.session.page(number, in: snapshot, of: group),
      let position = page.liveIndex(of: lookup)
    else { return nil }
    let row = page.rows.span.extracting(page.rowRange(at: position))
    // Nothing can come in between: the transaction reads one state.
    guard case .done(let item) = try read(row, in: group, named: name, at: snapshot, parts)
    else { throw VaultError(.tampered) }
    return item
  }

  private func read(
    _ row: Span<UInt8>,
    in group: OpenGroup,
    named name: String,
    at snapshot: GroupSnapshot,
    _ parts: ItemParts
  ) throws(VaultError) -> RowReading<FoundItem?> {
    try reader.read(
      row,
      at: snapshot,
      in: group,
      named: name,
      matching: search,
      byAttributes: looksAtAttributes,
      parts
    )
  }

  /// Whether the row alone does not decide; the lookup of a whole name stands for what it names.
  private var looksAtAttributes: Bool {
    let decided = inputs == nil ? 0 : ItemAttribute.identity(of: search.kind).count
    return search.attributes.count > decided
  }

  private func isEnough(_ found: [FoundItem]) -> Bool {
    search.limit.map { found.count >= $0 } ?? false
  }

  private func lookup(_ input: LookupInput, in group: OpenGroup) throws(VaultError) -> Digest {
    do { return try reader.session.lookup(input, in: group) } catch {
      throw VaultError(translating: error)
    }
  }
}
