/// The branches of a group with their tags, as the group's row holds them (38 bytes each).
package struct BranchTable: Hashable, Sendable {
  private var list: EntryList

  /// Makes the table of a group without items.
  package init() {
    list = EntryList()
  }

  /// Reads a table.
  ///
  /// Throws ``FormatError/malformed`` if it is not made of whole entries, the numbers do not
  /// strictly ascend below 64, an entry has no item, or all have more than 4 000 000.
  package init(parsing bytes: Span<UInt8>) throws(FormatError) {
    let (count, remainder) = bytes.count.quotientAndRemainder(dividingBy: BranchEntry.byteCount)
    guard remainder == 0, count <= Int(Limits.branches) else { throw .malformed }
    var entries: [BranchEntry] = []
    entries.reserveCapacity(count)
    for index in 0..<count {
      let offset = index * BranchEntry.byteCount
      let entry = BranchEntry(
        number: try bytes.integer(at: offset),
        items: try bytes.integer(at: offset + 2),
        tag: try bytes.fixedBytes(at: offset + 6)
      )
      guard entry.number < Limits.branches else { throw .malformed }
      entries.append(entry)
    }
    list = try EntryList(entries)
  }

  /// The branches by ascending number.
  package var entries: [BranchEntry] { list.entries }

  /// The number of items in the group.
  package var totalItems: UInt64 { list.items }

  /// The entry of a branch, or nil if the branch has no rows.
  package func branch(_ number: UInt16) -> BranchEntry? { list.entry(number: number) }

  /// Inserts a branch, or replaces the one with the same number.
  ///
  /// Throws ``FormatError/malformed`` if the number is above 63 or the branch has no item, and
  /// ``FormatError/limitExceeded`` if the group would hold too many items.
  package mutating func set(_ branch: BranchEntry) throws(FormatError) {
    guard branch.number < Limits.branches else { throw .malformed }
    try list.set(branch)
  }

  /// Removes a branch that lost its last row, and says whether it was there.
  package mutating func remove(branch number: UInt16) -> Bool { list.remove(number: number) }

  /// The table as the group's row holds it.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    list.append(to: &output)
    return output
  }
}
