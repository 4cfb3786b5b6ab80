import Testing
import VaultDatabase

@Suite("Claims")
struct ClaimTests {
  let vault: TemporaryVault
  let connection: any DatabaseConnection

  init() throws {
    vault = try TemporaryVault()
    connection = try vault.database.connect(.readWrite)
  }

  private func put(_ rows: [[UInt8]]) throws {
    try connection.write {
      for row in rows { try connection.putClaim(row) }
    }
  }

  @Test("claims come back to the byte, in ascending order of lookup")
  func order() throws {
    let low = claim(lookup: lookup(0x10), box: 1 << 62, version: 0x0102_0304_0506_0708)
    let high = claim(lookup: lookup(0xf0), box: 5, kind: 255)
    try put([high, low])
    #expect(try connection.claims().rows == low + high)
  }

  @Test("a claim replaces the one of the same lookup and group only")
  func replace() throws {
    let old = claim(lookup: lookup(1), box: 1)
    let new = claim(lookup: lookup(1), box: 2, version: 9)
    try put([old, new])
    let other = pattern(16, seed: 44)
    try connection.write { try connection.putClaim(group: other, old) }
    #expect(try connection.claims().rows == new)
  }

  @Test("a range includes both of its ends")
  func range() throws {
    let rows = (1...5).map { claim(lookup: lookup($0)) }
    try put(rows)
    let found = try connection.claims(from: lookup(2), through: lookup(4))
    #expect(found.rows == rows[1] + rows[2] + rows[3])
    #expect(try connection.claims(from: lookup(4), through: lookup(2)).rows.isEmpty)
  }

  @Test("no more rows are read than the limit")
  func limit() throws {
    let rows = (1...5).map { claim(lookup: lookup($0)) }
    try put(rows)
    #expect(try connection.claims(limit: 2).rows == rows[0] + rows[1])
    #expect(try connection.claims(limit: 0) == (0, []))
  }

  @Test("claims are appended to what is there")
  func append() throws {
    let row = claim(lookup: lookup(1))
    try put([row])
    #expect(try connection.claims(after: [1, 2, 3]) == (1, [1, 2, 3] + row))
  }

  @Test("claims are deleted one by one, by range and by group")
  func delete() throws {
    let rows = (1...6).map { claim(lookup: lookup($0)) }
    try put(rows)
    try connection.write {
      try connection.deleteClaim(lookup: lookup(1))
      try connection.deleteClaim(lookup: lookup(99))
      try connection.deleteClaims(
        from: lookup(3),
        through: lookup(4)
      )
    }
    #expect(try connection.claims().rows == rows[1] + rows[4] + rows[5])
    try connection.write { try connection.deleteAllClaims() }
    #expect(try connection.claims().rows.isEmpty)
  }

  @Test(
    "a claim that could not be read again is not written",
    arguments: [
      claim(lookup: lookup(1)) + [0],
      [],
      claim(lookup: lookup(1), box: 0),
      claim(lookup: lookup(1), box: 1 << 62 + 1),
      claim(lookup: lookup(1), box: .max),
      claim(lookup: lookup(1), version: 0),
      claim(lookup: lookup(1), version: .max),
    ]
  )
  func refused(row: [UInt8]) throws {
    #expect(throws: DatabaseError(.malformedRow)) { try put([row]) }
    #expect(try connection.claims().rows.isEmpty)
  }
}
