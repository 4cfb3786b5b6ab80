/// The padding of what goes into a box, so that the box's length tells only a size class.
///
/// Layout: a 32-bit length, the content, zeros. The whole is the next power of two from 64 to
/// 4096 bytes, and above that the next multiple of 4096.
package enum Padding {
  private static let prefixByteCount = 4
  private static let smallestByteCount = 64
  private static let stepByteCount = 4096

  /// The padded length for a content of so many bytes.
  ///
  /// Throws ``FormatError/limitExceeded`` for more than the largest content, a history of 2 MiB.
  package static func paddedCount(for contentCount: Int) throws(FormatError) -> Int {
    guard (0...Limits.historyByteCount).contains(contentCount) else { throw .limitExceeded }
    let needed = contentCount + prefixByteCount
    if needed > stepByteCount {
      return (needed + stepByteCount - 1) / stepByteCount * stepByteCount
    }
    var bucket = smallestByteCount
    while bucket < needed {
      bucket *= 2
    }
    return bucket
  }

  /// Fills a buffer of exactly the padded length: length, content, zeros.
  ///
  /// Throws ``FormatError/limitExceeded`` if the content is too large or the buffer is not of the
  /// length that ``paddedCount(for:)`` gives.
  package static func pad(
    _ content: Span<UInt8>,
    into buffer: inout MutableSpan<UInt8>
  ) throws(FormatError) {
    try begin(contentCount: content.count, in: &buffer)
    try buffer.replace(at: prefixByteCount, with: content)
  }

  /// Writes length and zeros around a content that the caller puts into the buffer piece by piece.
  ///
  /// Gives where the content belongs. Throws as ``pad(_:into:)`` does.
  @discardableResult
  package static func begin(
    contentCount: Int,
    in buffer: inout MutableSpan<UInt8>
  ) throws(FormatError) -> Range<Int> {
    guard try paddedCount(for: contentCount) == buffer.count else { throw .limitExceeded }
    let content = prefixByteCount..<(prefixByteCount + contentCount)
    try buffer.replace(at: 0, bigEndian: UInt32(clamping: contentCount))
    buffer.clear(content.upperBound..<buffer.count)
    return content
  }

  /// Where the content lies in a padded buffer.
  ///
  /// Throws ``FormatError/malformed`` unless the length fits, the buffer is exactly as long as the
  /// content asks for, and all filling is zero.
  package static func unpad(_ padded: Span<UInt8>) throws(FormatError) -> Range<Int> {
    let content = try padded.lengthPrefixedRange(at: 0)
    guard content.count <= Limits.historyByteCount,
      try paddedCount(for: content.count) == padded.count,
      padded.isZero(in: content.upperBound..<padded.count)
    else { throw .malformed }
    return content
  }
}
