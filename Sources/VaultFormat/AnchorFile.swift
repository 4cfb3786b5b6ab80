/// The file of an anchor: two cells, so that a torn write of one leaves the other.
package enum AnchorFile {
  /// Where the cells start.
  package static let cellOffsets = [0, 2048]

  /// The length of a cell in bytes.
  package static let cellByteCount = 2048

  private static let checkByteCount = 12

  /// A cell: the record, its check, and zeros.
  ///
  /// Throws ``FormatError/limitExceeded`` if the record does not fit.
  package static func cell(
    record: [UInt8],
    check: AnchorCheck
  ) throws(FormatError) -> [UInt8] {
    guard record.count <= cellByteCount - checkByteCount else { throw .limitExceeded }
    var cell = [UInt8](repeating: 0, count: cellByteCount)
    var bytes = cell.mutableSpan
    try bytes.replace(at: 0, with: record.span)
    try bytes.replace(at: record.count, with: check.bytes.span)
    return cell
  }

  /// The records in a file, with the checks that the caller has yet to compare.
  ///
  /// A cell that is cut short, does not hold a whole record, or has anything but zeros behind it is
  /// left out: the file is meant to survive damage.
  package static func split(
    _ file: Span<UInt8>
  ) -> [(record: Range<Int>, check: AnchorCheck)] {
    cellOffsets.compactMap { offset in
      guard file.holds(cellByteCount, at: offset) else { return nil }
      return try? split(file.extracting(offset..<(offset + cellByteCount)), cellOffset: offset)
    }
  }

  private static func split(
    _ cell: Span<UInt8>,
    cellOffset: Int
  ) throws(FormatError) -> (record: Range<Int>, check: AnchorCheck) {
    let record = try AnchorRecord.range(in: cell, at: 0)
    _ = try AnchorRecord(parsing: cell.extracting(record))
    let check: AnchorCheck = try cell.fixedBytes(at: record.upperBound)
    guard cell.isZero(in: (record.upperBound + checkByteCount)..<cell.count) else {
      throw .malformed
    }
    return (cellOffset..<(cellOffset + record.count), check)
  }
}
