import Testing
import VaultFormat

/// The record of the head: its fields, what it counts, and what is refused.
@Suite("Head records")
struct HeadRecordTests {
  @Test("a head record parses and writes back to the same bytes")
  func roundTrip() throws {
    let head = try HeadRecord(Vectors.head)
    #expect(head.bytes == Vectors.head)
    #expect(head.vaultID == Vectors.vaultID)
    #expect(head.rootEpoch == 1)
    #expect(head.adminCounter == 3)
    #expect(head.slotCount == 3)
    #expect(head.groupCount == 1)
    #expect(head.checksum.array == Array(Vectors.head[48..<64]))
    #expect(head.adminTag.array == Array(Vectors.head[64...]))
  }

  @Test("another magic is no vault", arguments: 0..<4)
  func magic(offset: Int) {
    let record = Vectors.head.replacing(at: offset, with: 0x20)
    #expect(throws: FormatError.notAVault) { try HeadRecord(record) }
  }

  @Test("another format or suite is unsupported", arguments: [4, 6])
  func version(offset: Int) {
    for version in [0, 2, 0xffff] as [UInt16] {
      let record = Vectors.head.replacing(at: offset, with: version)
      #expect(throws: FormatError.unsupportedVersion) { try HeadRecord(record) }
    }
  }

  @Test("an epoch or counter of 0 or above 2^62 is malformed", arguments: [24, 32])
  func counters(offset: Int) throws {
    for value in [0, 1 << 62 + 1, .max] as [UInt64] {
      let record = Vectors.head.replacing(at: offset, with: value)
      #expect(throws: FormatError.malformed) { try HeadRecord(record) }
    }
    let record = Vectors.head.replacing(at: offset, with: 1 << 62 as UInt64)
    #expect(try HeadRecord(record).bytes == record)
  }

  @Test("more than 64 slots or 1024 groups are malformed")
  func counts() {
    let slots = Vectors.head.replacing(at: 40, with: 65 as UInt32)
    #expect(throws: FormatError.malformed) { try HeadRecord(slots) }
    let groups = Vectors.head.replacing(at: 44, with: 1025 as UInt32)
    #expect(throws: FormatError.malformed) { try HeadRecord(groups) }
  }

  @Test("a head record of any other length is malformed", arguments: [0, 95, 97])
  func length(count: Int) {
    let record = Array((Vectors.head + [0]).prefix(count))
    #expect(throws: FormatError.malformed) { try HeadRecord(record) }
  }

  @Test("the body holds head, state, slots with labels and groups in the order of their names")
  func body() throws {
    let head = try HeadRecord(Vectors.head)
    let body = HeadRecord.body(
      head: head,
      state: [7],
      slots: [
        (Vectors.slotWithThreeFactors, []), (Vectors.slotWithPassphrase, [1, 2]),
        (Vectors.slotOfGroup, [3]),
      ],
      groups: [Vectors.groupRecord, Vectors.groupRecord.replacing(at: 0, with: 0)]
    )
    var expected = Array(Vectors.head[..<48]) + [0, 0, 0, 1, 7]
    expected += Vectors.slotWithPassphrase + [0, 0, 0, 2, 1, 2]
    expected += Vectors.slotOfGroup + [0, 0, 0, 1, 3]
    expected += Vectors.slotWithThreeFactors + [0, 0, 0, 0]
    expected += Vectors.groupRecord.replacing(at: 0, with: 0) + Vectors.groupRecord
    #expect(body == expected)
  }

  @Test("slots and groups must be those that the head counts")
  func announced() throws {
    let head = try HeadRecord(Vectors.head)
    let first = try SlotRecord(Vectors.slotWithPassphrase)
    let second = try SlotRecord(Vectors.slotOfGroup)
    let third = try SlotRecord(Vectors.slotWithThreeFactors)
    let group = try GroupRecord(Vectors.groupRecord)
    try head.validate(slots: [first, second, third], groups: [group])
    #expect(throws: FormatError.malformed) {
      try head.validate(slots: [first, second], groups: [group])
    }
    #expect(throws: FormatError.malformed) {
      try head.validate(slots: [first, second, third], groups: [])
    }
    #expect(throws: FormatError.malformed) {
      try head.validate(slots: [first, second, second], groups: [group])
    }
  }

  @Test("a ninth passphrase slot is malformed")
  func passphraseSlots() throws {
    var head = try HeadRecord(Vectors.head)
    head.groupCount = 0
    for count in [8, 9] as [UInt8] {
      head.slotCount = UInt32(count)
      let slots = try (1...count).map { id in
        try SlotRecord(Vectors.slotWithPassphrase.replacing(at: 8, with: id))
      }
      if count == 8 {
        try head.validate(slots: slots, groups: [])
      } else {
        #expect(throws: FormatError.malformed) { try head.validate(slots: slots, groups: []) }
      }
    }
  }
}
