import VaultFormat

/// The sealed attributes of some rows, copied out of the file to be opened by several cores at once.
struct SealedAttributes {
  /// Where a row and its box lie among the bytes; they are copied, so that the cores share nothing that is counted.
  private struct Row {
    let group: Int
    let start: Int
    let end: Int
  }

  /// What opening gave.
  struct Opened: Sendable {
    var items: [SecretItem] = []
    /// How many items a newer version wrote.
    var unsupportedCount = 0
  }

  private static let fullByteCount = 1024 * 1024

  private var groups: [OpenGroup] = []
  private var rows: [Row] = []
  private var bytes: [UInt8] = []

  /// Whether it is time to open what was collected.
  var isFull: Bool { bytes.count >= Self.fullByteCount }

  /// Collects a row and its box.
  mutating func append(_ box: Span<UInt8>, of row: Span<UInt8>, in group: OpenGroup) {
    if groups.last !== group { groups.append(group) }
    let start = bytes.count
    bytes.append(row)
    bytes.append(box)
    rows.append(Row(group: groups.count - 1, start: start, end: bytes.count))
  }

  /// Starts anew with the same memory.
  mutating func removeAll() {
    groups.removeAll()
    rows.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Opens and verifies all of them and keeps those that match, in their order.
  func open(with session: Session, matching query: ItemQuery) throws(VaultError) -> Opened {
    let parts = try session.shareAmongCores(rowCount: rows.count) {
      range,
      cipher throws(VaultError) in
      try open(range, with: cipher, matching: query)
    }
    var all = Opened()
    for opened in parts {
      all.items += opened.items
      all.unsupportedCount += opened.unsupportedCount
    }
    return all
  }

  private func open(
    _ range: Range<Int>,
    with cipher: RowCipher,
    matching query: ItemQuery
  ) throws(VaultError) -> Opened {
    var opened = Opened()
    opened.items.reserveCapacity(range.count)
    let names = groups.map { $0.name ?? query.group }
    let bytes = bytes.span
    for index in range {
      let row = rows[index]
      let box = row.start + Claim.byteCount
      do {
        let item = try cipher.item(
          bytes.extracting(box..<row.end),
          row: bytes.extracting(row.start..<box),
          in: groups[row.group],
          named: names[row.group],
          matching: query
        )
        if let item { opened.items.append(item) }
      } catch  where error.code == .unsupportedVersion {
        opened.unsupportedCount += 1
      }
    }
    return opened
  }
}
