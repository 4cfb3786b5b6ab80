import VaultFormat

/// The indexed rows of one group, kept by the page that they are in.
struct GroupIndex: Sendable {
  private struct Page {
    let tag: Digest
    let rows: [IndexedRow]
  }

  /// The tag of the state that the index was last brought to.
  private var position: Digest?
  private var pages: [UInt16: Page] = [:]
  private var lookupsByHash: [Int: Set<Digest>] = [:]
  private var lookupsByID: [Identifier: Digest] = [:]
  private var locked: [Digest: ClearColumns] = [:]

  var rowCount: Int { lookupsByID.count }

  /// Brings the index to a state, reading the pages whose tags have changed.
  mutating func follow(
    _ group: OpenGroup,
    to snapshot: GroupSnapshot,
    with reader: RowReader
  ) throws(VaultError) {
    guard position != snapshot.tag else { return }
    position = nil
    var gone = Set(pages.keys)
    for entry in snapshot.branches.entries {
      guard let branch = try reader.session.branch(entry.number, in: snapshot, of: group)
      else { continue }
      for page in branch.pages {
        gone.remove(page.number)
        if pages[page.number]?.tag == page.tag { continue }
        let rows = try reader.indexedRows(of: page, in: group, at: snapshot)
        replace(page.number, with: Page(tag: page.tag, rows: rows))
      }
    }
    for number in gone { replace(number, with: nil) }
    position = snapshot.tag
  }

  /// The rows that can match a search.
  func candidates(for search: ItemSearch) -> Candidates {
    var candidates = Candidates()
    if let id = search.itemID {
      let lookup = (try? Identifier(id.span)).flatMap { lookupsByID[$0] }
      candidates.lookups = lookup.map { [$0] } ?? []
      return candidates
    }
    candidates.includesLocked = locked.values.contains { search.matches($0) }
    // The rarest value leaves the fewest rows to open.
    let sets = search.attributes.map { lookupsByHash[IndexedRow.hash($0.tag, $1.bytes)] ?? [] }
    if let fewest = sets.min(by: { $0.count < $1.count }) {
      candidates.lookups = Array(fewest)
    } else {
      candidates.lookups = pages.values.flatMap { page in
        page.rows.filter { $0.hashes != nil }.map(\.lookup)
      }
    }
    return candidates
  }

  private mutating func replace(_ number: UInt16, with page: Page?) {
    let former =
      page.map { pages.updateValue($0, forKey: number) } ?? pages.removeValue(forKey: number)
    for row in former?.rows ?? [] { remove(row) }
    for row in page?.rows ?? [] { insert(row) }
  }

  private mutating func insert(_ row: IndexedRow) {
    lookupsByID[row.columns.itemID] = row.lookup
    guard let hashes = row.hashes else {
      locked[row.lookup] = row.columns
      return
    }
    for hash in hashes { lookupsByHash[hash, default: []].insert(row.lookup) }
  }

  private mutating func remove(_ row: IndexedRow) {
    // A renamed item may have its new row in a page that was read before.
    if lookupsByID[row.columns.itemID] == row.lookup { lookupsByID[row.columns.itemID] = nil }
    locked[row.lookup] = nil
    for hash in row.hashes ?? [] {
      lookupsByHash[hash]?.remove(row.lookup)
      if lookupsByHash[hash]?.isEmpty == true { lookupsByHash[hash] = nil }
    }
  }
}

/// What the index keeps of one row.
struct IndexedRow: Sendable {
  let lookup: Digest
  let columns: ClearColumns
  /// One for each attribute, or `nil` where the row is locked.
  let hashes: [Int]?

  /// A hash of one attribute; rows with the same one are compared byte for byte later.
  static func hash(_ tag: AttributeTag, _ bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    hasher.combine(tag)
    hasher.combine(bytes)
    return hasher.finalize()
  }
}
