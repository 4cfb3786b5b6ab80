import CSQLite
import Testing

@testable import VaultDatabase

@Suite("Transactions")
struct TransactionTests {
  let vault: TemporaryVault
  let connection: any DatabaseConnection

  init() throws {
    vault = try TemporaryVault(busyTimeout: 60)
    connection = try vault.database.connect(.readWrite)
  }

  private func putHead(_ seed: Int) throws {
    try connection.putHead(HeadRow(record: pattern(96, seed: seed), state: []))
  }

  private func headSeed(_ other: any DatabaseConnection) throws -> UInt8 {
    try other.head().record[0] / 31
  }

  @Test("two connections see each other's commits, and only commits")
  func visibility() throws {
    let other = try vault.database.connect(.readWrite)
    try connection.write { try putHead(1) }
    #expect(try headSeed(other) == 1)
    try connection.beginWrite()
    try putHead(2)
    #expect(try headSeed(other) == 1)
    #expect(try headSeed(connection) == 2)
    try connection.commit()
    #expect(try headSeed(other) == 2)
    try other.write { try other.putHead(HeadRow(record: pattern(96, seed: 3), state: [])) }
    #expect(try headSeed(connection) == 3)
  }

  @Test("a rollback undoes, and does nothing outside a transaction")
  func rollback() throws {
    try connection.write { try putHead(1) }
    try connection.beginWrite()
    try putHead(2)
    connection.rollback()
    connection.rollback()
    #expect(try headSeed(connection) == 1)
  }

  @Test("a read transaction keeps its state while others commit")
  func snapshot() throws {
    try connection.write { try putHead(1) }
    let reader = try vault.database.connect(.readOnly)
    try reader.beginRead()
    #expect(try headSeed(reader) == 1)
    try connection.write { try putHead(2) }
    #expect(try headSeed(reader) == 1)
    try reader.commit()
    #expect(try headSeed(reader) == 2)
  }

  @Test("a second writer is told that the file is busy, after the timeout")
  func busy() throws {
    let other = try vault.database.connect(.readWrite)
    try connection.beginWrite()
    let start = ContinuousClock.now
    #expect(throws: DatabaseError(.busy)) { try other.beginWrite() }
    #expect(ContinuousClock.now - start >= .milliseconds(50))
    connection.rollback()
    try other.beginWrite()
    other.rollback()
  }

  @Test("a change outside a write transaction is refused")
  func changeOutside() throws {
    #expect(throws: DatabaseError(.misuse)) { try putHead(1) }
    #expect(throws: DatabaseError(.missingRow)) { try connection.head() }
  }

  @Test("transactions do not nest, and only an open one is committed")
  func nesting() throws {
    #expect(throws: DatabaseError(.misuse)) { try connection.commit() }
    try connection.beginWrite()
    #expect(throws: DatabaseError(.misuse)) { try connection.beginWrite() }
    #expect(throws: DatabaseError(.misuse)) { try connection.beginRead() }
    try putHead(1)
    try connection.commit()
    #expect(try headSeed(connection) == 1)
  }

  @Test("a failed commit leaves the old state and no transaction")
  func failedCommit() throws {
    try connection.write { try putHead(1) }
    let engine = try #require(connection as? SQLiteConnection)
    unsafe sqlite3_commit_hook(try engine.handle(), { _ in 1 }, nil)
    #expect(throws: DatabaseError(.other)) { try connection.write { try putHead(2) } }
    #expect(try !engine.isInTransaction())
    unsafe sqlite3_commit_hook(try engine.handle(), nil, nil)
    #expect(try headSeed(connection) == 1)
    try connection.write { try putHead(3) }
    #expect(try headSeed(connection) == 3)
  }

  @Test("a full file refuses a change, keeps the old state and stays usable")
  func full() throws {
    try connection.write { try putHead(1) }
    let engine = try #require(connection as? SQLiteConnection)
    try engine.execute("PRAGMA max_page_count = 12")
    #expect(throws: DatabaseError(.full)) {
      try connection.write {
        try putHead(2)
        for _ in 0..<20 { _ = try connection.insertBox([], pattern(4_000), []) }
      }
    }
    #expect(try !engine.isInTransaction())
    #expect(try headSeed(connection) == 1)
    try connection.write { try putHead(3) }
    #expect(try headSeed(connection) == 3)
  }

  @Test("after an automatic rollback the next change is refused, not committed alone")
  func automaticRollback() throws {
    let engine = try #require(connection as? SQLiteConnection)
    try connection.beginWrite()
    try engine.execute("ROLLBACK")
    #expect(throws: DatabaseError(.misuse)) { try putHead(1) }
    #expect(throws: DatabaseError(.misuse)) { try connection.commit() }
    #expect(throws: DatabaseError(.missingRow)) { try connection.head() }
  }

  @Test("closing rolls back, and a closed connection refuses every call")
  func close() throws {
    try connection.beginWrite()
    try putHead(1)
    connection.close()
    connection.close()
    connection.rollback()
    #expect(throws: DatabaseError(.misuse)) { try connection.head() }
    #expect(throws: DatabaseError(.misuse)) { try connection.beginWrite() }
    #expect(throws: DatabaseError(.misuse)) { try connection.commit() }
    #expect(throws: DatabaseError(.misuse)) { try connection.checkpoint(.passive) }
    #expect(throws: DatabaseError(.misuse)) { try connection.integrityCheck() }
    let other = try vault.database.connect(.readWrite)
    #expect(throws: DatabaseError(.missingRow)) { try other.head() }
  }

  @Test("a connection that nobody holds any more is closed")
  func release() throws {
    var other: (any DatabaseConnection)? = try vault.database.connect(.readWrite)
    try other?.beginWrite()
    other = nil
    try connection.write { try putHead(1) }
    #expect(try headSeed(connection) == 1)
  }

  @Test("a read-only connection refuses to write")
  func readOnly() throws {
    let reader = try vault.database.connect(.readOnly)
    #expect(throws: DatabaseError(.readOnly)) {
      try reader.write { try reader.putHead(HeadRow(record: pattern(96), state: [])) }
    }
  }
}
