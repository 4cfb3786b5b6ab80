/// What a list says of one member: its number, how many items lie below it, and its tag.
///
/// A branch lists its pages in this form, and a group lists its branches.
package struct ListEntry: Hashable, Sendable {
  /// The number of the page or branch.
  package var number: UInt16

  /// The number of items below it, at least 1.
  package var items: UInt32

  /// The tag of the page or branch.
  package var tag: Digest

  /// The length of an entry in bytes.
  package static let byteCount = 38

  /// Makes an entry from its fields; the list that takes it in checks them.
  package init(number: UInt16, items: UInt32, tag: Digest) {
    self.number = number
    self.items = items
    self.tag = tag
  }
}

/// What a branch says of one of its pages.
package typealias PageEntry = ListEntry

/// What a group says of one of its branches.
package typealias BranchEntry = ListEntry

/// Entries by ascending number, at most 64, which together hold no more items than a group may.
struct EntryList: Hashable, Sendable {
  private(set) var entries: [ListEntry] = []
  private(set) var items: UInt64 = 0

  private static let capacity = 64

  /// Makes an empty list.
  init() {}

  /// Takes over entries.
  ///
  /// Throws ``FormatError/malformed`` if their order, their number or that of the items is wrong.
  init(_ entries: [ListEntry]) throws(FormatError) {
    guard entries.count <= Self.capacity else { throw .malformed }
    var previous: UInt16?
    for entry in entries {
      guard entry.items >= 1 else { throw .malformed }
      if let previous {
        guard previous < entry.number else { throw .malformed }
      }
      previous = entry.number
      items += UInt64(entry.items)
    }
    guard items <= Limits.itemsPerGroup else { throw .malformed }
    self.entries = entries
  }

  func entry(number: UInt16) -> ListEntry? {
    entries.first { $0.number == number }
  }

  /// Inserts an entry, or replaces the one with the same number.
  ///
  /// Throws ``FormatError/malformed`` for an entry without items, and
  /// ``FormatError/limitExceeded`` if the list would be too full.
  mutating func set(_ entry: ListEntry) throws(FormatError) {
    guard entry.items >= 1 else { throw .malformed }
    let index = entries.firstIndex { $0.number >= entry.number } ?? entries.count
    let isPresent = index < entries.count && entries[index].number == entry.number
    let others = isPresent ? items - UInt64(entries[index].items) : items
    guard others + UInt64(entry.items) <= Limits.itemsPerGroup,
      isPresent || entries.count < Self.capacity
    else { throw .limitExceeded }
    if isPresent {
      entries[index] = entry
    } else {
      entries.insert(entry, at: index)
    }
    items = others + UInt64(entry.items)
  }

  /// Removes an entry, and says whether there was one.
  mutating func remove(number: UInt16) -> Bool {
    guard let index = entries.firstIndex(where: { $0.number == number }) else { return false }
    items -= UInt64(entries.remove(at: index).items)
    return true
  }

  /// Writes all entries at the end of an array: number, items, tag.
  ///
  /// A commit does this with some thousand bytes, so it is done in place.
  func append(to output: inout [UInt8]) {
    var offset = output.count
    output.append(contentsOf: repeatElement(0, count: entries.count * ListEntry.byteCount))
    unsafe output.withUnsafeMutableBytes { bytes in
      for entry in entries {
        unsafe bytes.storeBytes(of: entry.number.bigEndian, toByteOffset: offset, as: UInt16.self)
        unsafe bytes.storeBytes(
          of: entry.items.bigEndian,
          toByteOffset: offset + 2,
          as: UInt32.self
        )
        unsafe bytes.storeBytes(of: entry.tag, toByteOffset: offset + 6, as: Digest.self)
        offset += ListEntry.byteCount
      }
    }
  }
}
