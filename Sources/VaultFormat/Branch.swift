/// One of the 64 branches of a group: its pages with their tags.
package struct Branch: Hashable, Sendable {
  /// The number of the branch, 0 to 63.
  package let number: UInt16

  private var list: EntryList

  /// Makes a branch from its pages.
  ///
  /// Throws ``FormatError/malformed`` if the number is above 63, or if the pages do not strictly
  /// ascend, belong to another branch, or hold no item, more than 65 536 each or more than a group
  /// may in all. A branch without pages is accepted, for a writer to start from.
  package init(number: UInt16, pages: [PageEntry]) throws(FormatError) {
    guard number < Limits.branches, pages.allSatisfy({ Self.accepts($0, in: number) }) else {
      throw .malformed
    }
    self.number = number
    list = try EntryList(pages)
  }

  private static func accepts(_ page: PageEntry, in number: UInt16) -> Bool {
    ClaimPage.branch(of: page.number) == number && page.items <= Limits.itemsPerPage
  }

  /// The pages by ascending number.
  package var pages: [PageEntry] { list.entries }

  /// The number of items in all pages; the limits keep it far below 2^32.
  package var items: UInt32 { UInt32(clamping: list.items) }

  /// The entry of a page, or nil if the page has no rows.
  package func page(_ number: UInt16) -> PageEntry? { list.entry(number: number) }

  /// Inserts a page, or replaces the one with the same number.
  ///
  /// Throws ``FormatError/malformed`` if the page belongs to another branch or its number of items
  /// is not 1 to 65 536, and ``FormatError/limitExceeded`` if the group would hold too many items.
  package mutating func set(_ page: PageEntry) throws(FormatError) {
    guard Self.accepts(page, in: number) else { throw .malformed }
    try list.set(page)
  }

  /// Removes a page that lost its last row, and says whether it was there.
  package mutating func remove(page number: UInt16) -> Bool { list.remove(number: number) }

  /// Writes what the branch tag covers after the group's name and epoch: number, items, pages.
  package func append(to output: inout [UInt8]) {
    output.reserveCapacity(output.count + 6 + list.entries.count * PageEntry.byteCount)
    output.append(bigEndian: number)
    output.append(bigEndian: items)
    list.append(to: &output)
  }
}
