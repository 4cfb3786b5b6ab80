import Testing
import VaultFormat

/// The records of slots: their fields, and what is refused.
@Suite("Slot records")
struct SlotRecordTests {
  @Test(
    "a slot record parses and writes back to the same bytes",
    arguments: [Vectors.slotWithPassphrase, Vectors.slotOfGroup, Vectors.slotWithThreeFactors]
  )
  func roundTrip(record: [UInt8]) throws {
    let slot = try SlotRecord(record)
    #expect(slot.bytes == record)
    #expect(slot.header == Array(record[..<64]))
  }

  @Test("the fields of a slot record lie where the format says")
  func fields() throws {
    let slot = try SlotRecord(Vectors.slotWithThreeFactors)
    #expect(slot.factors == [.passphrase, .keyFile, .device])
    #expect(slot.logN == 15)
    #expect(slot.cost == 32_768)
    #expect(slot.id == Identifier(repeating: 3))
    #expect(slot.scope == .zero)
    #expect(slot.salt == Salt(repeating: 0x53))
    #expect(slot.box == Array(Vectors.slotWithThreeFactors[64...]))
  }

  @Test("a slot without a passphrase costs nothing and names its group")
  func groupSlot() throws {
    let slot = try SlotRecord(Vectors.slotOfGroup)
    #expect(slot.factors == .keyFile)
    #expect(slot.cost == 0)
    #expect(slot.scope == Vectors.groupID)
  }

  @Test("a slot record of any other length is malformed", arguments: [0, 1, 143, 145])
  func length(count: Int) {
    let record = Array((Vectors.slotWithPassphrase + [0]).prefix(count))
    #expect(throws: FormatError.malformed) { try SlotRecord(record) }
  }

  @Test("another record version is unsupported", arguments: [0, 2, 255] as [UInt8])
  func version(version: UInt8) {
    let record = Vectors.slotWithPassphrase.replacing(at: 0, with: version)
    #expect(throws: FormatError.unsupportedVersion) { try SlotRecord(record) }
  }

  @Test("a cost outside of 15 to 19 is refused", arguments: [0, 14, 20, 63, 255] as [UInt8])
  func cost(logN: UInt8) {
    let record = Vectors.slotWithPassphrase.replacing(at: 3, with: logN)
    #expect(throws: FormatError.costRefused) { try SlotRecord(record) }
  }

  @Test("every cost from 15 to 19 is accepted", arguments: 15...19 as ClosedRange<UInt8>)
  func acceptedCost(logN: UInt8) throws {
    let record = Vectors.slotWithPassphrase.replacing(at: 3, with: logN)
    #expect(try SlotRecord(record).logN == logN)
  }

  @Test(
    "factors that are empty, unknown or do not fit the stretch are malformed",
    arguments: [(1, 0), (1, 8), (1, 0x81), (2, 0), (2, 7), (4, 1), (7, 0x80)] as [(Int, UInt8)]
  )
  func malformed(offset: Int, byte: UInt8) {
    let record = Vectors.slotWithPassphrase.replacing(at: offset, with: byte)
    #expect(throws: FormatError.malformed) { try SlotRecord(record) }
  }

  @Test("a slot without a passphrase has neither stretch nor cost", arguments: [2, 3])
  func noPassphrase(offset: Int) {
    let record = Vectors.slotOfGroup.replacing(at: offset, with: 1)
    #expect(throws: FormatError.malformed) { try SlotRecord(record) }
  }

  @Test("a slot is not made with a box of another length than 80")
  func boxLength() {
    #expect(throws: FormatError.malformed) {
      try SlotRecord(
        factors: .keyFile,
        logN: 0,
        id: .zero,
        scope: .zero,
        salt: .zero,
        box: Array(repeating: 0, count: 79)
      )
    }
  }
}

/// The records of groups: their fields, and what is refused.
@Suite("Group records")
struct GroupRecordTests {
  @Test("a group record parses and writes back to the same bytes")
  func roundTrip() throws {
    let group = try GroupRecord(Vectors.groupRecord)
    #expect(group.bytes == Vectors.groupRecord)
    #expect(group.id == Vectors.groupID)
    #expect(group.epoch == 1)
    #expect(group.salt == Salt(repeating: 0x67))
    #expect(group.header == Array(Vectors.groupRecord[..<24]))
  }

  @Test("a group record of any other length is malformed", arguments: [0, 127, 129])
  func length(count: Int) {
    let record = Array((Vectors.groupRecord + [0]).prefix(count))
    #expect(throws: FormatError.malformed) { try GroupRecord(record) }
  }

  @Test("an epoch of 0 or above 2^62 is malformed", arguments: [0, 1 << 62 + 1] as [UInt64])
  func epoch(epoch: UInt64) {
    let record = Vectors.groupRecord.replacing(at: 16, with: epoch)
    #expect(throws: FormatError.malformed) { try GroupRecord(record) }
  }
}
