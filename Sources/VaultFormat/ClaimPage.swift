/// The claims of one page of a group: the rows whose lookups share their first 12 bits.
///
/// The rows stay in the one array of bytes that the page tag covers; a look-up is a binary search
/// in it and allocates nothing.
package struct ClaimPage: Hashable, Sendable {
  /// The page number, 0 to 4095.
  package let number: UInt16

  /// The claims by ascending lookup, 107 bytes each.
  package private(set) var rows: [UInt8]

  /// Takes over the claims of a page.
  ///
  /// Throws ``FormatError/malformed`` if a claim is malformed, a lookup lies outside of the page,
  /// the lookups do not strictly ascend, or there are more than 65 536 rows. An empty page is
  /// accepted, for a writer to start from.
  package init(number: UInt16, rows: [UInt8]) throws(FormatError) {
    let (count, remainder) = rows.count.quotientAndRemainder(dividingBy: Claim.byteCount)
    guard number < Limits.pages, remainder == 0, count <= Limits.itemsPerPage else {
      throw .malformed
    }
    try Self.validate(rows.span, number: number)
    self.number = number
    self.rows = rows
  }

  private static func validate(_ rows: Span<UInt8>, number: UInt16) throws(FormatError) {
    var previous: Digest?
    var offset = 0
    while offset < rows.count {
      try Claim.validate(rows, at: offset)
      let lookup: Digest = try rows.fixedBytes(at: offset + Claim.lookupRange.lowerBound)
      guard Self.number(of: lookup) == number else { throw .malformed }
      if let previous {
        guard previous < lookup else { throw .malformed }
      }
      previous = lookup
      offset += Claim.byteCount
    }
  }

  /// The number of rows.
  package var count: Int { rows.count / Claim.byteCount }

  /// Where a row lies in ``rows``, for an index below ``count``.
  package func rowRange(at index: Int) -> Range<Int> {
    let start = index * Claim.byteCount
    return start..<(start + Claim.byteCount)
  }

  /// Reads one row; throws ``FormatError/malformed`` if there is no such index.
  package func claim(at index: Int) throws(FormatError) -> Claim {
    guard index >= 0, index < count else { throw .malformed }
    return try Claim(parsing: rows.span, at: rowRange(at: index).lowerBound)
  }

  /// The index of the row with a lookup, or nil if the page has none.
  package func index(of lookup: Digest) -> Int? {
    let index = insertionIndex(of: lookup)
    return index < count && self.lookup(at: index) == lookup ? index : nil
  }

  /// Inserts a claim, or replaces the one with the same lookup.
  ///
  /// Throws ``FormatError/malformed`` if the claim is no valid row of this page, and
  /// ``FormatError/limitExceeded`` if the page is full.
  package mutating func set(_ claim: Claim) throws(FormatError) {
    let row = claim.bytes
    try Claim.validate(row.span, at: 0)
    guard Self.number(of: claim.lookup) == number else { throw .malformed }
    let index = insertionIndex(of: claim.lookup)
    let range = rowRange(at: index)
    if index < count, lookup(at: index) == claim.lookup {
      rows.replaceSubrange(range, with: row)
    } else {
      guard count < Limits.itemsPerPage else { throw .limitExceeded }
      rows.insert(contentsOf: row, at: range.lowerBound)
    }
  }

  /// Removes the claim with a lookup, and says whether there was one.
  package mutating func remove(_ lookup: Digest) -> Bool {
    guard let index = index(of: lookup) else { return false }
    rows.removeSubrange(rowRange(at: index))
    return true
  }

  private func insertionIndex(of lookup: Digest) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if row(at: middle, precedes: lookup) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Compares in place: most lookups differ in the third byte, which costs less than a copy.
  private func row(at index: Int, precedes lookup: Digest) -> Bool {
    let start = index * Claim.byteCount + Claim.lookupRange.lowerBound
    for offset in 0..<Claim.lookupRange.count where rows[start + offset] != lookup.bytes[offset] {
      return rows[start + offset] < lookup.bytes[offset]
    }
    return false
  }

  private func lookup(at index: Int) -> Digest {
    let start = index * Claim.byteCount + Claim.lookupRange.lowerBound
    return Digest(InlineArray { rows[start + $0] })
  }
}

extension ClaimPage {
  /// The number of the page that a lookup belongs to: its first 12 bits.
  package static func number(of lookup: Digest) -> UInt16 {
    UInt16(lookup.bytes[0]) << 4 | UInt16(lookup.bytes[1] >> 4)
  }

  /// The number of the branch that a page belongs to: the first 6 bits of its number.
  package static func branch(of page: UInt16) -> UInt16 { page >> 6 }

  /// The smallest and the largest lookup of a page from 0 to 4095; higher bits are ignored.
  package static func lookupRange(of page: UInt16) -> (first: Digest, last: Digest) {
    var first = Digest(repeating: 0x00)
    var last = Digest(repeating: 0xff)
    first.bytes[0] = UInt8(truncatingIfNeeded: page >> 4)
    first.bytes[1] = UInt8(truncatingIfNeeded: page << 4)
    last.bytes[0] = first.bytes[0]
    last.bytes[1] = first.bytes[1] | 0x0f
    return (first, last)
  }
}
