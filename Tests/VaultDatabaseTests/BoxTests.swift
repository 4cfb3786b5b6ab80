import Testing
import VaultDatabase

@Suite("Boxes")
struct BoxTests {
  let vault: TemporaryVault
  let connection: any DatabaseConnection

  init() throws {
    vault = try TemporaryVault()
    connection = try vault.database.connect(.readWrite)
  }

  private func insert(
    _ attributes: [UInt8],
    _ secret: [UInt8],
    _ history: [UInt8]
  ) throws -> (
    box: Int64, groupRow: Int64
  ) {
    var box: Int64 = 0
    var row: Int64 = 0
    try connection.write {
      row = try connection.insertGroup(counter: 7)
      box = try connection.insertBox(attributes, secret, history)
    }
    return (box, row)
  }

  @Test("a part of a box comes with the position of its group")
  func lend() throws {
    let (box, row) = try insert(pattern(112), pattern(112, seed: 2), pattern(300, seed: 3))
    for (part, expected) in [
      (BoxPart.attributes, pattern(112)), (.secret, pattern(112, seed: 2)),
      (.history, pattern(300, seed: 3)),
    ] {
      let isExpected = try connection.withBox(part, box: box, groupRow: row) { counter, tag, blob in
        counter == 7 && array(tag) == pattern(32, seed: 7) && optionalArray(blob) == expected
      }
      #expect(isExpected)
    }
  }

  @Test("boxes of the largest sizes are written and read, one byte more is refused")
  func largest() throws {
    let history = 2_103_344
    let (box, row) = try insert(pattern(82_048), pattern(1_053_744), pattern(history))
    #expect(try connection.blob(.attributes, box: box, groupRow: row) == pattern(82_048))
    #expect(try connection.blob(.secret, box: box, groupRow: row) == pattern(1_053_744))
    #expect(try connection.blob(.history, box: box, groupRow: row) == pattern(history))
    for (attributes, secret, history) in [
      (82_049, 0, 0), (0, 1_053_745, 0), (0, 0, history + 1),
    ] {
      #expect(throws: DatabaseError(.malformedRow)) {
        _ = try insert(pattern(attributes), pattern(secret), pattern(history))
      }
    }
  }

  @Test("an empty blob is empty and not missing")
  func empty() throws {
    let (box, row) = try insert([], [], [])
    for part in BoxPart.allCases {
      #expect(try connection.blob(part, box: box, groupRow: row) == [])
    }
  }

  @Test("a missing box is lent as nil, a missing group is an error")
  func missing() throws {
    let (box, row) = try insert([], [], [])
    #expect(try connection.blob(.secret, box: box + 1, groupRow: row) == nil)
    #expect(throws: DatabaseError(.missingRow)) {
      try connection.blob(.secret, box: box, groupRow: row + 1)
    }
  }

  @Test("an update rewrites the box in place and a delete removes it")
  func change() throws {
    let (box, row) = try insert(pattern(112), pattern(112), [])
    try connection.write {
      try connection.updateBox(id: box, pattern(64), [], pattern(9))
    }
    #expect(try connection.blob(.attributes, box: box, groupRow: row) == pattern(64))
    #expect(try connection.blob(.secret, box: box, groupRow: row) == [])
    #expect(try connection.blob(.history, box: box, groupRow: row) == pattern(9))
    try connection.write { try connection.deleteBox(id: box) }
    #expect(try connection.blob(.secret, box: box, groupRow: row) == nil)
    #expect(throws: DatabaseError(.missingRow)) {
      try connection.write {
        try connection.updateBox(id: box, [], [], [])
      }
    }
  }

  @Test("attributes and sizes are listed in order of row number until the body has enough")
  func listing() throws {
    try connection.write {
      for count in 1...5 {
        _ = try connection.insertBox(pattern(count), pattern(count * 10), pattern(count * 100))
      }
    }
    var attributes: [Int64: [UInt8]] = [:]
    try connection.forEachAttributes { box, bytes in
      attributes[box] = array(bytes)
      return box < 3
    }
    #expect(attributes == [1: pattern(1), 2: pattern(2), 3: pattern(3)])
    var sizes: [BoxSizes] = []
    try connection.forEachBox { box in
      sizes.append(box)
      return sizes.count < 2
    }
    #expect(sizes.map(\.box) == [1, 2])
    #expect(sizes.map(\.attributes) == [1, 2])
    #expect(sizes.map(\.secret) == [10, 20])
    #expect(sizes.map(\.history) == [100, 200])
  }

  @Test("a connection is not used while it lends a box")
  func reentrance() throws {
    let (box, row) = try insert([], pattern(112), [])
    let inner = try connection.withBox(.secret, box: box, groupRow: row) { _, _, blob in
      connection.rollback()
      connection.close()
      let error = #expect(throws: DatabaseError.self) { try connection.slots() }
      return (error, optionalArray(blob))
    }
    #expect(inner.0 == DatabaseError(.misuse))
    #expect(inner.1 == pattern(112))
    #expect(try connection.slots().isEmpty)
  }
}
