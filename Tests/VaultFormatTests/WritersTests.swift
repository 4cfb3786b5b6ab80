import Testing
import VaultFormat

@Suite("Writers")
struct WritersTests {
  private func holder(_ byte: UInt8) -> Identifier { Identifier(repeating: byte) }

  private func writers(_ entries: [(UInt8, UInt64)]) throws -> Writers {
    var writers = Writers()
    for (byte, counter) in entries {
      try writers.record(holder: holder(byte), counter: counter)
    }
    return writers
  }

  @Test("a list parses and writes back to the same bytes")
  func roundTrip() throws {
    let list =
      holder(1).array + bytes("0000000000000002") + holder(2).array + bytes("4000000000000000")
    let writers = try Writers(list)
    #expect(writers.bytes == list)
    #expect(writers.counter(of: holder(2)) == 1 << 62)
    #expect(writers.counter(of: holder(3)) == nil)
    #expect(try Writers([]).entries.isEmpty)
  }

  @Test("a list that is cut, descends, repeats a holder or has a counter out of range is malformed")
  func malformed() throws {
    let first = try writers([(1, 2)]).bytes
    let second = try writers([(2, 2)]).bytes
    let refused = [
      Array(first.dropLast()), second + first, first + first,
      first.replacing(at: 16, with: 0 as UInt64),
      first.replacing(at: 16, with: 1 << 62 + 1 as UInt64),
    ]
    for list in refused {
      #expect(throws: FormatError.malformed) { try Writers(list) }
    }
  }

  @Test("64 writers are read, one more is malformed")
  func limit() throws {
    let list = (1...65 as ClosedRange<UInt8>).map { holder($0).array + bytes("0000000000000001") }
    #expect(try Writers(Array(list.prefix(64).joined())).entries.count == 64)
    #expect(throws: FormatError.malformed) { try Writers(Array(list.joined())) }
  }

  @Test("a commit sets the counter of its holder and keeps the order")
  func recording() throws {
    let list = try writers([(5, 1), (3, 2), (9, 3), (5, 4)])
    #expect(list.entries.map(\.holder) == [holder(3), holder(5), holder(9)])
    #expect(list.entries.map(\.counter) == [2, 4, 3])
    var unchanged = list
    for counter in [0, 1 << 62 + 1] as [UInt64] {
      #expect(throws: FormatError.limitExceeded) {
        try unchanged.record(holder: holder(1), counter: counter)
      }
    }
    #expect(unchanged == list)
  }

  @Test("in a full list the lowest counter makes room, and a known holder displaces none")
  func fullList() throws {
    var list = try writers((1...64).map { ($0, $0 == 40 ? 1 : 100 + UInt64($0)) })
    try list.record(holder: holder(7), counter: 500)
    #expect(list.entries.count == 64)
    #expect(list.counter(of: holder(40)) == 1)
    try list.record(holder: holder(200), counter: 501)
    #expect(list.entries.count == 64)
    #expect(list.counter(of: holder(40)) == nil)
    #expect(list.counter(of: holder(200)) == 501)
    #expect(try Writers(list.bytes) == list)
  }

  @Test("a list covers an older one if no entry went back or went missing")
  func covering() throws {
    let older = try writers([(1, 5), (2, 6)])
    #expect(try writers([(1, 5), (2, 6)]).covers(older))
    #expect(try writers([(1, 7), (2, 6), (3, 8)]).covers(older))
    #expect(try !writers([(1, 4), (2, 9)]).covers(older))
    #expect(try !writers([(1, 9)]).covers(older))
    #expect(older.covers(Writers()))
    #expect(!Writers().covers(older))
  }

  @Test("a full list may lack an entry only if all of its counters are higher")
  func coveringWhenFull() throws {
    let older = try writers([(200, 5)])
    #expect(try writers((1...64).map { ($0, 6) }).covers(older))
    #expect(try !writers((1...63).map { ($0, 6) }).covers(older))
    #expect(try !writers((1...64).map { ($0, $0 == 1 ? 5 : 6) }).covers(older))
  }

  @Test("a merged list has the higher counter of each holder")
  func merging() throws {
    let merged = try writers([(1, 5), (2, 6)]).merged(with: writers([(2, 3), (3, 1)]))
    #expect(try merged == writers([(1, 5), (2, 6), (3, 1)]))
    #expect(Writers().merged(with: merged) == merged)
  }

  @Test("a merged list of more than 64 holders keeps the highest counters")
  func mergingBeyondLimit() throws {
    let left = try writers((1...64).map { ($0, UInt64($0)) })
    let right = try writers((101...110).map { ($0, 100) })
    let merged = left.merged(with: right)
    #expect(merged.entries.count == 64)
    #expect(merged.entries.map(\.counter).min() == 11)
    #expect(try Writers(merged.bytes) == merged)
    #expect(merged.covers(left))
    #expect(merged.covers(right))
  }
}
