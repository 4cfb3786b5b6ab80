import SecretMemory
import VaultDatabase
import VaultFormat

/// An item as a search found it.
package struct FoundItem: Sendable {
  let claim: Claim
  /// The name of its access group, as it was asked for.
  package let group: String
  /// The item, where it was asked for or had to be looked at.
  package let item: SecretItem?
  /// The secret, where it was asked for and there is one.
  package let secret: SecretBytes?

  /// The item's permanent name, 16 bytes.
  package var itemID: [UInt8] { claim.itemID.array }
}

/// What is to be read of an item that was found.
package struct ItemParts: OptionSet, Sendable {
  /// The parts as bits.
  package let rawValue: UInt8

  /// Takes over bits.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// What is noted about the item.
  package static let attributes = ItemParts(rawValue: 1 << 0)
  /// Its secret.
  package static let secret = ItemParts(rawValue: 1 << 1)
}

/// Opens rows for a search or its index, in one session.
struct RowReader {
  let session: Session
  let open: OpenGroups
  /// Throws when a lock of the vault is waiting.
  let checkLock: () throws(VaultError) -> Void

  /// Reads the item of a row, if it matches.
  ///
  /// A row of another device, which cannot be read here ever, matches nothing.
  ///
  /// - Throws: ``VaultError``: `locked` where a row that may match is locked, `expired`,
  ///   `needsRevalidation`, `tampered`.
  func read(
    _ row: Span<UInt8>,
    at snapshot: GroupSnapshot,
    in group: OpenGroup,
    named name: String,
    matching search: ItemSearch,
    byAttributes: Bool,
    _ parts: ItemParts
  ) throws(VaultError) -> RowReading<FoundItem?> {
    let claim = try Self.claim(row)
    guard let columns = ClearColumns(claim), search.matches(columns), isOfThisDevice(claim, columns)
    else { return .done(nil) }
    try open.requireAccess(columns.accessibility, deviceID: claim.deviceID, in: group)
    var item: SecretItem?
    if byAttributes || parts.contains(.attributes) {
      guard case .done(let read) = try session.readItem(row, at: snapshot, in: group)
      else { return .stale }
      guard search.matches(read) else { return .done(nil) }
      item = read
    }
    var secret: SecretBytes?
    if parts.contains(.secret) {
      guard case .done(let read) = try self.secret(of: claim, row, at: snapshot, in: group)
      else { return .stale }
      secret = read
    }
    return .done(FoundItem(claim: claim, group: name, item: item, secret: secret))
  }

  /// Reads what the index keeps of the rows of a page, inside a transaction that sees `snapshot`.
  func indexedRows(
    of entry: PageEntry,
    in group: OpenGroup,
    at snapshot: GroupSnapshot
  ) throws(VaultError) -> [IndexedRow] {
    try checkLock()
    let page = try session.page(entry, of: group)
    var rows: [IndexedRow] = []
    for index in 0..<page.count {
      let row = page.rows.span.extracting(page.rowRange(at: index))
      let claim = try Self.claim(row)
      guard let columns = ClearColumns(claim), ItemKind(byte: claim.kind) != nil,
        isOfThisDevice(claim, columns)
      else { continue }
      var hashes: [Int]?
      if group.keys.opens(columns.accessibility) {
        // What a newer version wrote cannot be looked into, and is in no listing either.
        guard let read = try hashesIfSupported(row, at: snapshot, in: group) else { continue }
        hashes = read
      }
      rows.append(IndexedRow(lookup: claim.lookup, columns: columns, hashes: hashes))
    }
    return rows
  }

  private func hashesIfSupported(
    _ row: Span<UInt8>,
    at snapshot: GroupSnapshot,
    in group: OpenGroup
  ) throws(VaultError) -> [Int]? {
    do throws(VaultError) {
      guard case .done(let item) = try session.readItem(row, at: snapshot, in: group)
      else { throw VaultError(.tampered) }
      return ItemAttribute.allCases.compactMap { attribute in
        item.attributes.bytes(attribute.tag).map { IndexedRow.hash(attribute.tag, $0) }
      }
    } catch  where error.code == .unsupportedVersion {
      return nil
    }
  }

  private func secret(
    of claim: Claim,
    _ row: Span<UInt8>,
    at snapshot: GroupSnapshot,
    in group: OpenGroup
  ) throws(VaultError) -> RowReading<SecretBytes?> {
    if !claim.flags.contains(.guarded) {
      switch try session.read(.secret, row: row, at: snapshot, in: group) {
      case .stale: return .stale
      case .done(let secret) where !secret.isEmpty: return .done(secret)
      // Only an item without a secret has an empty box, and its attributes say which it is.
      case .done: break
      }
    }
    return try session.readGuarded(row, at: snapshot, in: group, false)
  }

  private func isOfThisDevice(_ claim: Claim, _ columns: ClearColumns) -> Bool {
    !columns.accessibility.isDeviceBound || claim.deviceID == open.deviceID
  }

  private static func claim(_ row: Span<UInt8>) throws(VaultError) -> Claim {
    do { return try Claim(parsing: row) } catch { throw VaultError(translating: error) }
  }
}
