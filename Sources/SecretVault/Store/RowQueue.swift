import SecretMemory
import VaultFormat

/// Rows of one commit on their way into the file, in the order of the items: some wait to be sealed, others to be written.
struct RowQueue {
  /// What a row takes beside its contents, about.
  private static let rowByteCount = 256
  /// Enough rows for every core, and little enough to hold in memory.
  private static let fullByteCount = 256 * 1024

  private var prepared: [PreparedRow] = []
  private var preparedPlaces: Set<ItemPlace> = []
  private var byteCount = 0
  private var sealed: [SealedRow] = []
  private var sealedPlaces: Set<ItemPlace> = []

  /// Whether it is time to seal what was collected.
  var isFull: Bool { byteCount >= Self.fullByteCount }

  /// Whether a row of this place waits, so that what the file says of it is out of date.
  func contains(_ place: ItemPlace) -> Bool {
    preparedPlaces.contains(place) || sealedPlaces.contains(place)
  }

  /// Collects a row.
  mutating func append(_ row: PreparedRow, at place: ItemPlace) {
    prepared.append(row)
    preparedPlaces.insert(place)
    byteCount += Self.rowByteCount + row.attributes.withBytes { $0.count }
    byteCount += (row.secret?.count ?? 0) + (row.history?.count ?? 0)
  }

  /// Seals what was collected, and meanwhile writes what was sealed before.
  mutating func advance(in commit: Commit) throws(VaultError) {
    let (rows, ready) = (prepared, sealed)
    let parts = try commit.session.shareAmongCores(rowCount: rows.count) { () throws(VaultError) in
      for row in ready { try commit.write(row) }
    } _: { range, cipher throws(VaultError) in
      var sealed: [SealedRow] = []
      sealed.reserveCapacity(range.count)
      for row in rows[range] { sealed.append(try cipher.seal(row)) }
      return sealed
    }
    sealed = parts.flatMap(\.self)
    sealedPlaces = preparedPlaces
    prepared = []
    preparedPlaces = []
    byteCount = 0
  }

  /// Seals and writes all that waits.
  mutating func finish(in commit: Commit) throws(VaultError) {
    while !prepared.isEmpty || !sealed.isEmpty { try advance(in: commit) }
  }
}
