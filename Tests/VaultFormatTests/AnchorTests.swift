import Testing
import VaultFormat

@Suite("Anchors")
struct AnchorTests {
  private let check = AnchorCheck(InlineArray { Vectors.anchorCheck[$0] })

  private func file() throws -> [UInt8] {
    try AnchorFile.cell(record: Vectors.anchor, check: check)
      + AnchorFile.cell(record: Vectors.anchor.replacing(at: 51, with: 3), check: .zero)
  }

  private func split(_ file: [UInt8]) -> [(record: Range<Int>, check: AnchorCheck)] {
    AnchorFile.split(file.span)
  }

  @Test("an anchor parses and writes back to the same bytes")
  func roundTrip() throws {
    let anchor = try AnchorRecord(Vectors.anchor)
    #expect(anchor.bytes == Vectors.anchor)
    #expect(anchor.vaultID == Vectors.vaultID)
    #expect(anchor.scope == Vectors.groupID)
    #expect(anchor.epoch == 1)
    #expect(anchor.counter == 2)
    #expect(anchor.tag.array == Vectors.manifestOfRows1And2)
    #expect(anchor.holder == Vectors.holder)
    #expect(anchor.writers.counter(of: Vectors.holder) == 2)
  }

  @Test("an anchor with another magic, length, counter or writers is malformed")
  func malformed() {
    let sound = Vectors.anchor
    let refused = [
      [], sound.replacing(at: 3, with: 0x32), Array(sound.dropLast()), sound + [0],
      sound.replacing(at: 36, with: 0 as UInt64),
      sound.replacing(at: 44, with: 1 << 62 + 1 as UInt64),
      sound.replacing(at: 100, with: UInt32.max), sound.replacing(at: 103, with: 0),
      sound.replacing(at: 120, with: 0 as UInt64),
    ]
    for bytes in refused {
      #expect(throws: FormatError.malformed) { try AnchorRecord(bytes) }
    }
  }

  @Test("a cell is record, check and zeros, 2048 bytes in all")
  func cell() throws {
    let cell = try AnchorFile.cell(record: Vectors.anchor, check: check)
    #expect(cell.count == 2048)
    #expect(Array(cell[..<140]) == Vectors.anchor + Vectors.anchorCheck)
    #expect(cell[140...].allSatisfy { $0 == 0 })
  }

  @Test("the record of 64 writers fits a cell, and what does not fit is refused")
  func cellLimit() throws {
    var anchor = try AnchorRecord(Vectors.anchor)
    for byte in 1...64 as ClosedRange<UInt8> {
      try anchor.writers.record(holder: Identifier(repeating: byte), counter: 9)
    }
    #expect(anchor.bytes.count == 1640)
    let cell = try AnchorFile.cell(record: anchor.bytes, check: check)
    #expect(split(cell + cell).count == 2)
    #expect(throws: FormatError.limitExceeded) {
      try AnchorFile.cell(record: Array(repeating: 0, count: 2037), check: check)
    }
  }

  @Test("both cells of a sound file are found")
  func split() throws {
    let file = try file()
    let cells = split(file)
    #expect(cells.map(\.record) == [0..<128, 2048..<2176])
    #expect(cells.map(\.check) == [check, .zero])
    #expect(AnchorFile.cellOffsets == [0, 2048])
  }

  @Test("a damaged cell is left out and the other is found")
  func damage() throws {
    let file = try file()
    for offset in [0, 36, 44, 100, 140, 2047] {
      let damaged = file.replacing(at: offset, with: 0xee)
      #expect(split(damaged).map(\.record) == [2048..<2176])
    }
    let second = file.replacing(at: 2048, with: 0)
    #expect(split(second).map(\.record) == [0..<128])
  }

  @Test(
    "a file that is cut short gives the whole cells that are left",
    arguments: [0, 1, 127, 2047]
  )
  func truncation(count: Int) throws {
    let file = try file()
    #expect(split(Array(file.prefix(count))).isEmpty)
    #expect(split(Array(file.prefix(2048 + count))).map(\.record) == [0..<128])
  }
}
