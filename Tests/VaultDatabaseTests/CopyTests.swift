import Foundation
import Testing
import VaultDatabase

@Suite("Copies of a vault")
struct CopyTests {
  let vault: TemporaryVault
  let connection: any DatabaseConnection

  init() throws {
    vault = try TemporaryVault()
    connection = try vault.database.connect(.readWrite)
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96), state: []))
      for _ in 0..<50 { _ = try connection.insertBox(pattern(112), pattern(5_000), []) }
    }
  }

  private func boxCount(_ connection: any DatabaseConnection) throws -> Int {
    var count = 0
    try connection.forEachBox { _ in
      count += 1
      return true
    }
    return count
  }

  @Test("a backup is a vault with the same rows, in one file of the mode it had")
  func backup() throws {
    let path = try vault.makeEmptyFile("copy")
    try connection.backup(to: path)
    #expect(try vault.fileNames().filter { $0.hasPrefix("copy") } == ["copy"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let copy = try SQLiteDatabase(path: path, busyTimeout: 0).connect(.immutable)
    #expect(try copy.head().record == pattern(96))
    #expect(try boxCount(copy) == 50)
    #expect(try copy.integrityCheck())
  }

  @Test("a backup does not make its file and follows no symbolic link")
  func backupNowhere() throws {
    let absent = vault.folder + "/absent"
    #expect(throws: DatabaseError(.cannotOpen)) { try connection.backup(to: absent) }
    let path = try vault.makeEmptyFile("copy")
    let link = vault.folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(throws: DatabaseError(.cannotOpen)) { try connection.backup(to: link) }
    #expect(try vault.bytes(of: "copy").isEmpty)
  }

  @Test("a restore replaces everything, and other connections see it")
  func restore() throws {
    let path = try vault.makeEmptyFile("copy")
    try connection.backup(to: path)
    let other = try vault.database.connect(.readWrite)
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96, seed: 8), state: []))
      _ = try connection.insertBox([], [], [])
    }
    #expect(try boxCount(other) == 51)
    let copy = try SQLiteDatabase(path: path, busyTimeout: 0).connect(.readOnly)
    try connection.restore(from: copy)
    for each in [connection, other] {
      #expect(try each.head().record == pattern(96))
      #expect(try boxCount(each) == 50)
    }
    try other.write { _ = try other.insertBox([], [], []) }
    #expect(try boxCount(connection) == 51)
  }

  @Test("a restore from itself or inside a transaction is refused")
  func restoreRefused() throws {
    #expect(throws: DatabaseError(.misuse)) { try connection.restore(from: connection) }
    let other = try vault.database.connect(.readOnly)
    try connection.beginWrite()
    #expect(throws: DatabaseError(.misuse)) { try connection.restore(from: other) }
    connection.rollback()
    #expect(try boxCount(connection) == 50)
  }
}
