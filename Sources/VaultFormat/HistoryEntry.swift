/// One earlier secret of an item, read in place.
///
/// A history is a run of entries, newest first: u64 version, u64 modified, and the secret with a
/// 32-bit length.
package struct HistoryEntry: Hashable, Sendable {
  /// The version that the item had when this secret was written over.
  package let version: UInt64

  /// When the item of that version was last changed, in milliseconds since 1970.
  package let modified: UInt64

  /// Where the secret lies in the history that was read.
  package let secret: Range<Int>

  private static let headerByteCount = 20

  /// The length in bytes of an entry whose secret has so many.
  ///
  /// Throws ``FormatError/limitExceeded`` if the secret is larger than a secret may be.
  package static func byteCount(forSecret secretCount: Int) throws(FormatError) -> Int {
    guard (0...Limits.secretByteCount).contains(secretCount) else { throw .limitExceeded }
    return headerByteCount + secretCount
  }

  /// Reads a whole history.
  ///
  /// Throws ``FormatError/malformed`` if it is longer than 2 MiB, has more than 255 entries, ends
  /// inside an entry, or has a version outside of 1…2^62 or a secret that is too large.
  package static func parse(_ history: Span<UInt8>) throws(FormatError) -> [HistoryEntry] {
    guard history.count <= Limits.historyByteCount else { throw .malformed }
    var entries: [HistoryEntry] = []
    var offset = 0
    while offset < history.count {
      let entry = HistoryEntry(
        version: try history.counter(at: offset),
        modified: try history.integer(at: offset + 8),
        secret: try history.lengthPrefixedRange(at: offset + 16)
      )
      guard entries.count < Limits.historyEntries, entry.secret.count <= Limits.secretByteCount
      else { throw .malformed }
      entries.append(entry)
      offset = entry.secret.upperBound
    }
    return entries
  }

  /// Writes an entry into a buffer, without a copy of the secret elsewhere, and gives its end.
  ///
  /// Throws ``FormatError/malformed`` for a version outside of 1…2^62, and
  /// ``FormatError/limitExceeded`` if the secret is too large or the entry does not fit.
  @discardableResult
  package static func write(
    version: UInt64,
    modified: UInt64,
    secret: Span<UInt8>,
    at offset: Int,
    into buffer: inout MutableSpan<UInt8>
  ) throws(FormatError) -> Int {
    guard Limits.counters.contains(version) else { throw .malformed }
    let width = try byteCount(forSecret: secret.count)
    guard buffer.span.holds(width, at: offset) else { throw .limitExceeded }
    try buffer.replace(at: offset, bigEndian: version)
    try buffer.replace(at: offset + 8, bigEndian: modified)
    try buffer.replace(at: offset + 16, bigEndian: UInt32(clamping: secret.count))
    try buffer.replace(at: offset + headerByteCount, with: secret)
    return offset + width
  }
}
