import Testing
import VaultDatabase

@Suite("Rows come back as they were written")
struct RowTests {
  let vault: TemporaryVault
  let connection: any DatabaseConnection

  init() throws {
    vault = try TemporaryVault()
    connection = try vault.database.connect(.readWrite)
  }

  @Test("a vault without a head has a missing row")
  func missingHead() {
    #expect(throws: DatabaseError(.missingRow)) { try connection.head() }
  }

  @Test("the head is replaced as a whole")
  func head() throws {
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96), state: pattern(4096)))
      try connection.putHead(HeadRow(record: pattern(96, seed: 5), state: []))
    }
    let head = try connection.head()
    #expect(head.record == pattern(96, seed: 5))
    #expect(head.state.isEmpty)
  }

  @Test("slots come in ascending order of id, are replaced by id and deleted")
  func slots() throws {
    try connection.write {
      for byte: UInt8 in [7, 200, 3] {
        let record = pattern(144, seed: Int(byte))
        try connection.putSlot(SlotRow(id: fixed(byte), record: record, label: []))
      }
      try connection.putSlot(SlotRow(id: fixed(7), record: pattern(144), label: pattern(400)))
      try connection.deleteSlot(id: [UInt8](repeating: 3, count: 16))
    }
    let slots = try connection.slots()
    #expect(slots.map { array($0.id)[0] } == [7, 200])
    #expect(slots.first?.record == pattern(144))
    #expect(slots.first?.label == pattern(400))
    #expect(slots.last?.label == [])
  }

  @Test("no more than 65 slots are read")
  func slotLimit() throws {
    try connection.write {
      for byte: UInt8 in 0..<70 {
        try connection.putSlot(SlotRow(id: fixed(byte), record: pattern(144), label: []))
      }
    }
    #expect(try connection.slots().count == 65)
  }

  @Test("no more than 1 025 groups are read")
  func groupLimit() throws {
    try connection.write {
      for number in 0..<1_030 {
        _ = try connection.insertGroup(id: pattern(8) + bigEndian(UInt64(number)))
      }
    }
    #expect(try connection.groups().count == 1_025)
  }

  @Test("groups come in ascending order of id, not of row")
  func groupOrder() throws {
    try connection.write {
      for byte: UInt8 in [9, 1, 5] {
        _ = try connection.insertGroup(id: [UInt8](repeating: byte, count: 16))
      }
    }
    #expect(try connection.groups().map { array($0.id)[0] } == [1, 5, 9])
    #expect(try connection.groups().map(\.row) == [2, 3, 1])
  }

  @Test("each update of a group changes its own columns only")
  func groupUpdates() throws {
    var row: Int64 = 0
    try connection.write {
      row = try connection.insertGroup()
      try connection.updateGroupState(
        row: row,
        counter: 1 << 62,
        tag: pattern(32, seed: 70),
        state: pattern(4096),
        branches: pattern(2432)
      )
      try connection.updateGroupRecord(row: row, record: pattern(128, seed: 71))
      try connection.updateGroupName(row: row, name: pattern(400))
    }
    let group = try #require(try connection.group(row: row))
    #expect(group.row == row)
    #expect(array(group.id) == groupID)
    #expect(group.record == pattern(128, seed: 71))
    #expect(group.position.counter == 1 << 62)
    #expect(array(group.position.tag) == pattern(32, seed: 70))
    #expect(group.name == pattern(400))
    #expect(group.state == pattern(4096))
    #expect(group.branches == pattern(2432))
    let position = try #require(try connection.position(groupRow: row))
    #expect(position.counter == 1 << 62)
    #expect(array(position.tag) == pattern(32, seed: 70))
  }

  @Test("a group that is not there is absent, and updating it is an error")
  func missingGroup() throws {
    var row: Int64 = 0
    try connection.write { row = try connection.insertGroup() + 1 }
    #expect(try connection.group(row: row) == nil)
    #expect(try connection.position(groupRow: row) == nil)
    #expect(throws: DatabaseError(.missingRow)) {
      try connection.write {
        try connection.updateGroupName(row: row, name: pattern(10))
      }
    }
  }

  @Test("pages are read by range, replaced by number and deleted")
  func pages() throws {
    try connection.write {
      for number in [4095, 0, 63, 64, 65] {
        let page = PageRow(number: number, items: number + 1, tag: fixed(UInt8(number & 0xff)))
        try connection.putPage(page)
        try connection.putPage(group: pattern(16, seed: 10), page)
      }
      try connection.putPage(
        PageRow(number: 64, items: 65_536, tag: fixed(0xee))
      )
      try connection.deletePage(number: 65)
    }
    let pages = try connection.pages(from: 63, through: 127)
    #expect(pages.map(\.number) == [63, 64])
    #expect(pages.map(\.items) == [64, 65_536])
    #expect(pages.map { array($0.tag)[31] } == [63, 0xee])
    try connection.write { try connection.deleteAllPages() }
    #expect(try connection.pages(from: 0, through: 4095).isEmpty)
    let others = try connection.pages(
      group: pattern(16, seed: 10),
      from: 0,
      through: 4095
    )
    #expect(others.map(\.number) == [0, 63, 64, 65, 4095])
  }
}
