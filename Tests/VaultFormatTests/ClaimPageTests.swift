import Testing
import VaultFormat

@Suite("Pages of claims")
struct ClaimPageTests {
  /// The rows 1 and 3 of the vectors share page 832; row 3 has the lower lookup.
  private let sharedRows = Vectors.claim3 + Vectors.claim1

  @Test("a lookup belongs to the page of its first 12 bits and the branch of its first 6")
  func numbers() throws {
    let first = try Claim(Vectors.claim1).lookup
    let second = try Claim(Vectors.claim2).lookup
    #expect(ClaimPage.number(of: first) == 832)
    #expect(ClaimPage.branch(of: 832) == 13)
    #expect(ClaimPage.number(of: second) == 3564)
    #expect(ClaimPage.branch(of: 3564) == 55)
    #expect(ClaimPage.number(of: .zero) == 0)
    #expect(ClaimPage.number(of: Digest(repeating: 0xff)) == 4095)
  }

  @Test("the bounds of a page are its smallest and largest lookup", arguments: [0, 1, 832, 4095])
  func bounds(page: UInt16) {
    let (first, last) = ClaimPage.lookupRange(of: page)
    #expect(ClaimPage.number(of: first) == page)
    #expect(ClaimPage.number(of: last) == page)
    let digits = String(page, radix: 16)
    let prefix = String(repeating: "0", count: 3 - digits.count) + digits
    #expect(first.hex == prefix + String(repeating: "0", count: 61))
    #expect(last.hex == prefix + String(repeating: "f", count: 61))
  }

  @Test("a page gives its rows by index and by lookup")
  func reading() throws {
    let page = try ClaimPage(number: 832, rows: sharedRows)
    #expect(page.count == 2)
    #expect(page.rows == sharedRows)
    #expect(try page.claim(at: 1).bytes == Vectors.claim1)
    #expect(page.rowRange(at: 1) == 107..<214)
    #expect(page.index(of: try Claim(Vectors.claim3).lookup) == 0)
    #expect(page.index(of: try Claim(Vectors.claim1).lookup) == 1)
    #expect(page.index(of: try Claim(Vectors.claim2).lookup) == nil)
    #expect(throws: FormatError.malformed) { try page.claim(at: 2) }
    #expect(throws: FormatError.malformed) { try page.claim(at: -1) }
  }

  @Test("rows that descend or repeat a lookup are malformed")
  func order() {
    for rows in [Vectors.claim1 + Vectors.claim3, Vectors.claim1 + Vectors.claim1] {
      #expect(throws: FormatError.malformed) { try ClaimPage(number: 832, rows: rows) }
    }
  }

  @Test("a lookup of another page is malformed", arguments: [831, 833, 4096, .max] as [UInt16])
  func otherPage(number: UInt16) {
    #expect(throws: FormatError.malformed) {
      try ClaimPage(number: number, rows: Vectors.claim1)
    }
  }

  @Test("a malformed claim or a part of one makes the page malformed")
  func malformedRow() {
    let damaged = sharedRows.replacing(at: 107 + 17, with: 0x03)
    #expect(throws: FormatError.malformed) { try ClaimPage(number: 832, rows: damaged) }
    #expect(throws: FormatError.malformed) {
      try ClaimPage(number: 832, rows: Array(sharedRows.dropLast()))
    }
  }

  @Test("65 536 rows make a page, and one more is too many")
  func limit() throws {
    var claim = try Claim(Vectors.claim1)
    var rows: [UInt8] = []
    for index in 0...65_536 as ClosedRange<UInt32> {
      claim.lookup.bytes[4] = UInt8(index >> 16)
      claim.lookup.bytes[5] = UInt8(truncatingIfNeeded: index >> 8)
      claim.lookup.bytes[6] = UInt8(truncatingIfNeeded: index)
      claim.append(to: &rows)
    }
    #expect(throws: FormatError.malformed) { try ClaimPage(number: 832, rows: rows) }
    var page = try ClaimPage(number: 832, rows: Array(rows.dropLast(Claim.byteCount)))
    #expect(page.count == 65_536)
    #expect(throws: FormatError.limitExceeded) { try page.set(claim) }
  }

  @Test("setting a claim inserts it in its place, or replaces the one with its lookup")
  func setting() throws {
    var page = try ClaimPage(number: 832, rows: [])
    try page.set(Claim(Vectors.claim1))
    try page.set(Claim(Vectors.claim3))
    #expect(page.rows == sharedRows)
    var changed = try Claim(Vectors.claim1)
    changed.version = 9
    try page.set(changed)
    #expect(page.rows == Vectors.claim3 + changed.bytes)
  }

  @Test("a claim that is no row of the page is not set")
  func settingElsewhere() throws {
    var page = try ClaimPage(number: 832, rows: sharedRows)
    #expect(throws: FormatError.malformed) { try page.set(Claim(Vectors.claim2)) }
    var invalid = try Claim(Vectors.claim1)
    invalid.version = 0
    #expect(throws: FormatError.malformed) { try page.set(invalid) }
    #expect(page.rows == sharedRows)
  }

  @Test("removing takes the row with the lookup and no other")
  func removing() throws {
    var page = try ClaimPage(number: 832, rows: sharedRows)
    let removals = try [Vectors.claim2, Vectors.claim3].map { row in
      page.remove(try Claim(row).lookup)
    }
    #expect(removals == [false, true])
    #expect(page.rows == Vectors.claim1)
  }

  @Test("a page agrees with a sorted dictionary over many random changes")
  func model() throws {
    var generator = SmallGenerator(seed: 1)
    var page = try ClaimPage(number: 832, rows: [])
    var model: [Digest: Claim] = [:]
    for step in 1...2000 as ClosedRange<UInt64> {
      var claim = try Claim(Vectors.claim1)
      claim.lookup.bytes[Int(generator.next(below: 2)) * 30 + 1] = UInt8(generator.next(below: 16))
      claim.lookup.bytes[31] = UInt8(generator.next(below: 16))
      claim.version = step
      if generator.next(below: 3) == 0 {
        let wasRemoved = page.remove(claim.lookup)
        let removed = model.removeValue(forKey: claim.lookup)
        #expect(wasRemoved == (removed != nil))
      } else {
        try page.set(claim)
        model[claim.lookup] = claim
      }
    }
    #expect(page.rows == model.values.sorted { $0.lookup < $1.lookup }.flatMap(\.bytes))
    for lookup in model.keys {
      let index = try #require(page.index(of: lookup))
      #expect(try page.claim(at: index) == model[lookup])
    }
  }
}
