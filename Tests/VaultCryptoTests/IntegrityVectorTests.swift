import TestSupport
import Testing
import VaultCrypto

@Suite("Vectors of the vault format: pages, branches, manifest, anchor")
struct IntegrityVectorTests {
  private static let position =
    FormatInputs.vaultID + FormatInputs.groupID
    + FormatInputs.bigEndian(UInt64(1))
  private static let twoRows = [UInt8](
    hex: "0c8a29ef86e7883a16479ad7cff8e6355ffa88475cfe6278d74e6ce4cbe3af97"
  )

  @Test("K11: a page of one row, and of two rows in the order of their lookups")
  func pages() throws {
    #expect(FormatRow.first.page == 832 && FormatRow.third.page == 832)
    let one = [UInt8](hex: "bebd05d8c4a350b7f10fc10c2c35ff0d4b6ebaa5ff522e3bae018c8df24ec106")
    #expect(try pageTag([.first]) == one)
    let two = [UInt8](hex: "8f5030281fbae1fc4b5c11dbce6dad9986ec4ae09bfdcf8da1f8ce68d881d847")
    #expect(try pageTag([.third, .first]) == two)
  }

  @Test("K11: the branches of two rows")
  func branches() throws {
    let expected = [UInt8](
      hex: """
        000d00000001de9832a284c7ebea189db141b8d9e3f584266281122c4e976636042d5a27dc740037
        0000000168b3ce6d865818e60dc45fd357850cd29fc25613883b0c28da0806ddd6cb8545
        """
    )
    #expect(try branches([[.first], [.second]]) == expected)
  }

  @Test("K11: the manifest of no rows, of two and of three")
  func manifests() throws {
    let none = [UInt8](hex: "f506b3800ac734e213fe7d65cfd8b41dd94f02fe508e5373260755292d081be5")
    #expect(try manifest(counter: 1, state: [], pages: []) == none)
    let pages: [[FormatRow]] = [[.first], [.second]]
    #expect(try manifest(counter: 2, state: state(2), pages: pages) == Self.twoRows)
    let three = [UInt8](hex: "c9894c4fd2d415e154e36aadac3fe03ac251b0709ba1a558dad6d6f2c4447391")
    let morePages: [[FormatRow]] = [[.first, .third], [.second]]
    #expect(try manifest(counter: 3, state: state(3), pages: morePages) == three)
  }

  @Test("K16: the check of an anchor's cell")
  func anchor() throws {
    let writers = FormatInputs.holder + FormatInputs.bigEndian(UInt64(2))
    let record =
      Array("VLA1".utf8) + Self.position + FormatInputs.bigEndian(UInt64(2)) + Self.twoRows
      + FormatInputs.holder + FormatInputs.lengthPrefixed(writers)
    let expected = [UInt8](
      hex: """
        564c4131101112131415161718191a1b1c1d1e1f6161616161616161616161616161616100000000
        0000000100000000000000020c8a29ef86e7883a16479ad7cff8e6355ffa88475cfe6278d74e6ce4
        cbe3af97777777777777777777777777777777770000001877777777777777777777777777777777
        0000000000000002
        """
    )
    #expect(record == expected)
    let check: InlineArray<12, UInt8> = try SHA512.check(.anchor, record.span)
    #expect([UInt8](check) == [UInt8](hex: "8db8413bc4e61e48c823d421"))
  }

  private func state(_ counter: UInt64) -> [UInt8] {
    let writers = FormatInputs.holder + FormatInputs.bigEndian(counter)
    return [1] + FormatInputs.lengthPrefixed(writers)
  }

  private func pageTag(_ rows: [FormatRow]) throws -> [UInt8] {
    let sorted = rows.sorted { $0.lookup.lexicographicallyPrecedes($1.lookup) }
    return try tag(
      .pageTag,
      Self.position + FormatInputs.bigEndian(rows[0].page)
        + FormatInputs.bigEndian(UInt32(rows.count)) + sorted.flatMap(\.claims)
    )
  }

  /// The branches of pages that lie in a branch each.
  private func branches(_ pages: [[FormatRow]]) throws -> [UInt8] {
    var result: [UInt8] = []
    for rows in pages.sorted(by: { $0[0].page < $1[0].page }) {
      let count = FormatInputs.bigEndian(UInt32(rows.count))
      let branch = FormatInputs.bigEndian(rows[0].page >> 6) + count
      let page = FormatInputs.bigEndian(rows[0].page) + count + (try pageTag(rows))
      result += branch + (try tag(.branchTag, Self.position + branch + page))
    }
    return result
  }

  private func manifest(
    counter: UInt64,
    state: [UInt8],
    pages: [[FormatRow]]
  ) throws -> [UInt8] {
    let rowCount = UInt64(pages.joined().count)
    return try tag(
      .manifestTag,
      Self.position + FormatInputs.bigEndian(counter) + FormatInputs.bigEndian(rowCount)
        + [UInt8](repeating: 0x6e, count: 24) + FormatInputs.lengthPrefixed(state)
        + FormatInputs.lengthPrefixed(try branches(pages))
    )
  }

  private func tag(_ label: Label, _ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    let expander = try FormatInputs.group().manifestKey().expander()
    return [UInt8](
      try expander.expand(label) { hmac throws(CryptoError) in try hmac.update(bytes.span) }
    )
  }
}
