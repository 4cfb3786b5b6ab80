import Testing
import VaultDatabase

@Suite("The position of a group, which a connection remembers from its own commits")
struct KnownPositionTests {
  let vault: TemporaryVault
  let connection: any DatabaseConnection
  let row: Int64

  init() throws {
    vault = try TemporaryVault(busyTimeout: 60)
    let connection = try vault.database.connect(.readWrite)
    var row: Int64 = 0
    try connection.write { row = try connection.insertGroup(counter: 1) }
    self.row = row
    self.connection = connection
  }

  private func move(to counter: Int64, by connection: any DatabaseConnection) throws {
    try connection.updateGroupState(
      row: row,
      counter: counter,
      tag: pattern(32, seed: Int(counter)),
      state: [],
      branches: pattern(38)
    )
  }

  /// What a write transaction of the connection sees.
  private func counter() throws -> Int64? {
    try connection.beginWrite()
    defer { connection.rollback() }
    let position = try connection.position(groupRow: row)
    if let position { #expect(array(position.tag) == pattern(32, seed: Int(position.counter))) }
    return position?.counter
  }

  @Test("is that of the last commit")
  func ownCommit() throws {
    try connection.write { try move(to: 2, by: connection) }
    #expect(try counter() == 2)
    #expect(try counter() == 2)
  }

  @Test("is another's once another has committed")
  func foreignCommit() throws {
    try connection.write { try move(to: 2, by: connection) }
    let other = try vault.database.connect(.readWrite)
    try other.write { try move(to: 3, by: other) }
    #expect(try counter() == 3)
    try connection.write { try move(to: 4, by: connection) }
    #expect(try counter() == 4)
  }

  @Test("is read outside of a write transaction, where nobody has looked for other commits yet")
  func otherTransactions() throws {
    try connection.write { try move(to: 2, by: connection) }
    let other = try vault.database.connect(.readWrite)
    try other.write { try move(to: 3, by: other) }
    #expect(try connection.position(groupRow: row)?.counter == 3)
    try connection.write { try move(to: 4, by: connection) }
    try other.write { try move(to: 5, by: other) }
    try connection.beginRead()
    #expect(try connection.position(groupRow: row)?.counter == 5)
    try connection.commit()
  }

  @Test("is the new one inside the transaction that changes it, and the old one after a rollback")
  func rollback() throws {
    try connection.write { try move(to: 2, by: connection) }
    try connection.beginWrite()
    try move(to: 3, by: connection)
    #expect(try connection.position(groupRow: row)?.counter == 3)
    connection.rollback()
    #expect(try counter() == 2)
  }

  @Test("is that of another group where one commit changed both")
  func twoGroups() throws {
    var second: Int64 = 0
    try connection.write {
      second = try connection.insertGroup(id: pattern(16, seed: 8), counter: 5)
      try move(to: 2, by: connection)
      try connection.updateGroupState(
        row: second,
        counter: 6,
        tag: pattern(32, seed: 6),
        state: [],
        branches: pattern(38)
      )
    }
    #expect(try counter() == 2)
    try connection.beginWrite()
    #expect(try connection.position(groupRow: second)?.counter == 6)
    connection.rollback()
  }

  @Test("is that of the file which was restored over it")
  func restored() throws {
    let copy = try vault.makeEmptyFile("copy")
    try connection.backup(to: copy)
    try connection.write { try move(to: 2, by: connection) }
    let backup = try SQLiteDatabase(path: copy, busyTimeout: 60).connect(.immutable)
    try connection.restore(from: backup)
    #expect(try counter() == 1)
  }
}
