import SecretMemory
import VaultFormat

/// The earlier secrets of an item, opened, newest first.
struct ItemHistory {
  /// The history of an item that has none.
  static let empty = ItemHistory()

  /// What is sealed, or `nil` where there are no entries.
  let bytes: SecretBytes?
  private let entries: [HistoryEntry]

  private init() {
    bytes = nil
    entries = []
  }

  /// Takes a history that was opened, with the number of entries that the item's attributes promise.
  ///
  /// - Throws: ``VaultError`` with the code `tampered` where it has another number, or is malformed.
  init(_ bytes: SecretBytes, promisedCount: Int) throws(VaultError) {
    do {
      entries = try bytes.withBytes { bytes throws(FormatError) in try HistoryEntry.parse(bytes) }
    } catch {
      throw VaultError(translating: error)
    }
    guard entries.count == promisedCount, !entries.isEmpty else { throw VaultError(.tampered) }
    self.bytes = bytes
  }

  /// Writes secrets that lie elsewhere, newest first.
  private init(_ secrets: [Secret]) throws(VaultError) {
    do {
      var buffer = try LockedBuffer(count: secrets.reduce(0) { $0 + $1.entryByteCount })
      try buffer.withMutableBytes { output throws(FormatError) in
        var offset = 0
        for secret in secrets { offset = try secret.write(at: offset, into: &output) }
      }
      try self.init(SecretBytes(buffer), promisedCount: secrets.count)
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// How many earlier secrets there are.
  var count: Int { entries.count }

  /// What there is, newest first.
  var versions: [ItemVersion] {
    entries.map { entry in
      ItemVersion(
        version: entry.version,
        modified: Timestamp(millisecondsSince1970: entry.modified)
      )
    }
  }

  /// Copies the secret of a version, or returns `nil` where there is none; of two the newer one.
  ///
  /// An item that was moved between access groups, whose counters differ, can have a version twice.
  func secret(ofVersion version: UInt64) throws(VaultError) -> SecretBytes? {
    guard let bytes, let entry = entries.first(where: { $0.version == version })
    else { return nil }
    do {
      return try bytes.withBytes { bytes throws(SecretMemoryError) in
        let secret = bytes.extracting(entry.secret)
        return try SecretBytes(count: secret.count) { copy in
          for index in secret.indices { copy[index] = secret[index] }
        }
      }
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// The history with a secret in front, where one is given, cut to so many entries and to 2 MiB.
  ///
  /// The oldest go first. `isOverfull` says whether an entry went for its size alone.
  func adding(
    _ secret: SecretBytes?,
    of version: ItemVersion,
    keeping limit: Int
  ) throws(VaultError) -> (history: ItemHistory, isOverfull: Bool) {
    var secrets: [Secret] = []
    if let secret { secrets.append(try Secret(version, secret, 0..<secret.count)) }
    if let bytes {
      for (entry, version) in zip(entries, versions) {
        secrets.append(try Secret(version, bytes, entry.secret))
      }
    }
    let wanted = secrets.prefix(limit)
    var left = Limits.historyByteCount
    let kept = wanted.prefix { secret in
      left -= secret.entryByteCount
      return left >= 0
    }
    let isOverfull = kept.count < wanted.count
    if kept.isEmpty { return (.empty, isOverfull) }
    if secret == nil, kept.count == count { return (self, isOverfull) }
    return (try ItemHistory(Array(kept)), isOverfull)
  }

  /// A secret that is to be an entry, where it lies until then.
  private struct Secret {
    let version: ItemVersion
    let bytes: SecretBytes
    let range: Range<Int>
    let entryByteCount: Int

    init(_ version: ItemVersion, _ bytes: SecretBytes, _ range: Range<Int>) throws(VaultError) {
      self.version = version
      self.bytes = bytes
      self.range = range
      do { entryByteCount = try HistoryEntry.byteCount(forSecret: range.count) } catch {
        throw VaultError(translating: error)
      }
    }

    func write(
      at offset: Int,
      into output: inout MutableSpan<UInt8>
    ) throws(FormatError) -> Int {
      try bytes.withBytes { bytes throws(FormatError) in
        try HistoryEntry.write(
          version: version.version,
          modified: version.modified.millisecondsSince1970,
          secret: bytes.extracting(range),
          at: offset,
          into: &output
        )
      }
    }
  }
}
