import Testing
import VaultFormat

@Suite("Branches and their table")
struct BranchTests {
  private func page(_ number: UInt16, items: UInt32 = 1) -> PageEntry {
    PageEntry(number: number, items: items, tag: Digest(repeating: UInt8(number & 0xff)))
  }

  @Test("a branch writes number, items and its pages in ascending order")
  func branchBytes() throws {
    var branch = try Branch(number: 13, pages: [page(832, items: 2)])
    try branch.set(page(895, items: 5))
    var output: [UInt8] = []
    branch.append(to: &output)
    let tags = [page(832), page(895)].map { $0.tag.array }
    #expect(
      output == [0, 13, 0, 0, 0, 7, 3, 64, 0, 0, 0, 2] + tags[0] + [3, 127, 0, 0, 0, 5] + tags[1]
    )
    #expect(branch.items == 7)
    #expect(branch.page(895) == page(895, items: 5))
    #expect(branch.page(833) == nil)
  }

  @Test("a branch has 64 pages of its own, strictly ascending, each with 1 to 65 536 items")
  func branchRules() throws {
    _ = try Branch(number: 13, pages: (832...895).map { page($0, items: 62_500) })
    let refused: [[PageEntry]] = [
      [page(831)], [page(896)], [page(833), page(832)], [page(832), page(832)],
      [page(832, items: 0)], [page(832, items: 65_537)],
      (832...895).map { page($0, items: 62_501) },
    ]
    for pages in refused {
      #expect(throws: FormatError.malformed) { try Branch(number: 13, pages: pages) }
    }
    #expect(throws: FormatError.malformed) { try Branch(number: 64, pages: []) }
  }

  @Test("setting a page replaces it, removing it takes its items along")
  func branchChanges() throws {
    var branch = try Branch(number: 0, pages: [page(3, items: 9), page(5, items: 1)])
    try branch.set(page(3, items: 4))
    try branch.set(page(4, items: 2))
    #expect(branch.pages.map(\.number) == [3, 4, 5])
    #expect(branch.items == 7)
    let removals = [branch.remove(page: 5), branch.remove(page: 5)]
    #expect(removals == [true, false])
    #expect(branch.items == 6)
    #expect(throws: FormatError.malformed) { try branch.set(page(64)) }
    #expect(throws: FormatError.malformed) { try branch.set(page(1, items: 0)) }
    #expect(throws: FormatError.malformed) { try branch.set(page(1, items: 65_537)) }
    #expect(branch.pages == [page(3, items: 4), page(4, items: 2)])
  }

  @Test("a table parses and writes back to the same bytes")
  func tableRoundTrip() throws {
    let table = try BranchTable(Vectors.branchesOfRows1And2)
    #expect(table.bytes == Vectors.branchesOfRows1And2)
    #expect(table.entries.map(\.number) == [13, 55])
    #expect(table.totalItems == 2)
    #expect(table.branch(55)?.tag.array == Array(Vectors.branchesOfRows1And2[44...]))
    #expect(table.branch(54) == nil)
    #expect(BranchTable().bytes.isEmpty)
    #expect(try BranchTable([]).totalItems == 0)
  }

  @Test("a table that is cut, out of order, empty below or beyond 63 is malformed")
  func tableRules() {
    let table = Vectors.branchesOfRows1And2
    let first = Array(table[..<38])
    let refused: [[UInt8]] = [
      Array(table.dropLast()), [0], first + first, Array(table[38...]) + first,
      table.replacing(at: 38, with: 64 as UInt16), table.replacing(at: 2, with: 0 as UInt32),
      table.replacing(at: 2, with: 4_000_000 as UInt32), table.replacing(at: 2, with: UInt32.max),
    ]
    for bytes in refused {
      #expect(throws: FormatError.malformed) { try BranchTable(bytes) }
    }
  }

  @Test("a table holds exactly 4 000 000 items and 64 branches")
  func tableLimits() throws {
    var table = try BranchTable(
      Vectors.branchesOfRows1And2.replacing(at: 2, with: 3_999_999 as UInt32)
    )
    #expect(table.totalItems == 4_000_000)
    #expect(throws: FormatError.limitExceeded) { try table.set(page(1)) }
    #expect(throws: FormatError.limitExceeded) { try table.set(page(55, items: 2)) }
    try table.set(page(13, items: 1))
    for number in 0..<64 as Range<UInt16> {
      try table.set(page(number))
    }
    #expect(table.totalItems == 64)
    #expect(table.bytes.count == 2432)
    #expect(try BranchTable(table.bytes) == table)
    #expect(throws: FormatError.malformed) { try table.set(page(64)) }
    #expect(throws: FormatError.malformed) { try table.set(page(1, items: 0)) }
  }

  @Test("removing a branch takes its items along")
  func tableRemoval() throws {
    var table = try BranchTable(Vectors.branchesOfRows1And2)
    let removals = [table.remove(branch: 13), table.remove(branch: 13)]
    #expect(removals == [true, false])
    #expect(table.totalItems == 1)
    #expect(table.bytes == Array(Vectors.branchesOfRows1And2[38...]))
  }
}
