import CSQLite
import Testing

@testable import VaultDatabase

@Suite("Database errors")
struct DatabaseErrorTests {
  @Test("are equal when their codes are equal")
  func equality() {
    #expect(DatabaseError(.busy, extendedCode: 5) == DatabaseError(.busy, extendedCode: 261))
    #expect(DatabaseError(.busy, extendedCode: 5) != DatabaseError(.io, extendedCode: 5))
  }

  @Test("hold a code and a number and nothing else")
  func content() {
    let error = DatabaseError(.full, extendedCode: 13)
    #expect(Mirror(reflecting: error).children.map(\.label) == ["code", "extendedCode"])
    #expect("\(error)" == "database error: full (13)")
  }

  @Test(
    "have the code of the family of the engine's number",
    arguments: [
      (SQLITE_BUSY, .busy), (SQLITE_BUSY | 1 << 8, .busy), (SQLITE_LOCKED, .busy),
      (SQLITE_PROTOCOL, .busy), (SQLITE_FULL, .full), (SQLITE_READONLY | 4 << 8, .readOnly),
      (SQLITE_NOTADB, .notADatabase), (SQLITE_CORRUPT | 2 << 8, .corrupt),
      (SQLITE_CANTOPEN | 6 << 8, .cannotOpen), (SQLITE_PERM, .cannotOpen),
      (SQLITE_TOOBIG, .tooBig), (SQLITE_NOMEM, .outOfMemory), (SQLITE_IOERR, .io),
      (SQLITE_IOERR | 2 << 8, .io), (SQLITE_IOERR | 12 << 8, .outOfMemory),
      (SQLITE_IOERR | 18 << 8, .noSharedMemory), (SQLITE_IOERR | 21 << 8, .noSharedMemory),
      (SQLITE_MISUSE, .misuse), (SQLITE_CONSTRAINT, .other), (SQLITE_ERROR, .other), (255, .other),
    ] as [(Int32, DatabaseError.Code)]
  )
  func families(number: Int32, code: DatabaseError.Code) {
    let error = DatabaseError(resultCode: number)
    #expect(error.code == code)
    #expect(error.extendedCode == number)
  }
}
