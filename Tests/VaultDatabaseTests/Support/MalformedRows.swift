import TestSupport
import Testing
import VaultDatabase

extension TemporaryVault {
  /// A vault with one row in every table.
  static func withOneRowInEveryTable() throws -> TemporaryVault {
    let vault = try TemporaryVault()
    let connection = try vault.database.connect(.readWrite)
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96), state: pattern(5)))
      try connection.putSlot(SlotRow(id: fixed(1), record: pattern(144), label: pattern(5)))
      _ = try connection.insertGroup()
      try connection.putPage(PageRow(number: 1, items: 1, tag: fixed(1)))
      try connection.putClaim(claim(lookup: lookup(1)))
      _ = try connection.insertBox(pattern(112), pattern(112), pattern(112))
    }
    connection.close()
    return vault
  }

  /// Edits rows behind the back of the types and constraints, then puts the schema back as it was.
  func editUnchecked(_ statements: String) throws {
    try RawDatabase.editWithoutConstraints(path, statements)
  }

  /// Expects that rows which can be read are refused once statements have changed them.
  func expectMalformed(
    _ statements: String,
    _ read: (any DatabaseConnection) throws -> Void
  ) throws {
    let connection = try database.connect(.readWrite)
    #expect(throws: Never.self, "readable before the edit") { try read(connection) }
    connection.close()
    try editUnchecked(statements)
    let reopened = try database.connect(.readWrite)
    #expect(throws: DatabaseError(.malformedRow), "\(statements)") { try read(reopened) }
  }
}
