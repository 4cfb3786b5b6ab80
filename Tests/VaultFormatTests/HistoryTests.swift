import Testing
import VaultFormat

@Suite("Histories")
struct HistoryTests {
  /// The history of the vectors: version 1, 1 700 000 000 000 ms, "old".
  private let single = bytes("00000000000000010000018bcfe5680000000003") + Array("old".utf8)

  private func parse(_ history: [UInt8]) throws -> [HistoryEntry] {
    try HistoryEntry.parse(history.span)
  }

  @Test("an entry is written as version, date and secret")
  func writing() throws {
    let secret = Array("old".utf8)
    var buffer = [UInt8](repeating: 0xaa, count: try HistoryEntry.byteCount(forSecret: 3) + 1)
    var target = buffer.mutableSpan
    let end = try HistoryEntry.write(
      version: 1,
      modified: 1_700_000_000_000,
      secret: secret.span,
      at: 1,
      into: &target
    )
    #expect(end == 24)
    #expect(buffer == [0xaa] + single)
  }

  @Test("entries are read in their order, each secret where it lies")
  func reading() throws {
    let history = single + single.replacing(at: 7, with: 9)
    let entries = try parse(history)
    #expect(entries.map(\.version) == [1, 9])
    #expect(entries.map(\.modified) == [1_700_000_000_000, 1_700_000_000_000])
    #expect(entries.map { Array(history[$0.secret]) } == [Array("old".utf8), Array("old".utf8)])
    #expect(try parse([]).isEmpty)
  }

  @Test("a cut entry or a version outside of 1 to 2^62 is malformed")
  func malformed() {
    let refused = [
      Array(single.dropLast()), single + [0], single.replacing(at: 0, with: 0 as UInt64),
      single.replacing(at: 0, with: 1 << 62 + 1 as UInt64),
      single.replacing(at: 16, with: UInt32.max),
    ]
    for history in refused {
      #expect(throws: FormatError.malformed) { try parse(history) }
    }
  }

  @Test("255 entries are read, one more is malformed")
  func entryLimit() throws {
    let full = Array(repeatElement(single, count: 255).joined())
    #expect(try parse(full).count == 255)
    #expect(throws: FormatError.malformed) { try parse(full + single) }
  }

  @Test("a history above 2 MiB or a secret above 1 MiB is malformed")
  func sizeLimits() throws {
    let megabyte = 1_048_576
    var largest = Array(single[..<16])
    largest.append(lengthPrefixed: [UInt8](repeating: 1, count: megabyte).span)
    #expect(try parse(largest).count == 1)
    let tooLarge = largest.replacing(at: 16, with: UInt32(megabyte + 1)) + [1]
    #expect(throws: FormatError.malformed) { try parse(tooLarge) }
    #expect(throws: FormatError.malformed) { try parse(largest + largest) }
    #expect(throws: FormatError.limitExceeded) {
      try HistoryEntry.byteCount(forSecret: megabyte + 1)
    }
  }

  @Test("an entry that does not fit the buffer is not written", arguments: [-1, 1, 24, Int.max])
  func noRoom(offset: Int) {
    let secret = [1, 2, 3] as [UInt8]
    var buffer = [UInt8](repeating: 0xaa, count: 23)
    #expect(throws: FormatError.limitExceeded) {
      var target = buffer.mutableSpan
      try HistoryEntry.write(
        version: 1,
        modified: 2,
        secret: secret.span,
        at: offset,
        into: &target
      )
    }
    #expect(buffer == Array(repeating: 0xaa, count: 23))
  }
}
