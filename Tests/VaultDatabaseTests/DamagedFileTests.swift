import Testing
import VaultDatabase

@Suite("A damaged or foreign file gives an error and nothing else")
struct DamagedFileTests {
  /// A vault of some twenty pages, all of them in the file itself.
  private func filledVault() throws -> TemporaryVault {
    let vault = try TemporaryVault()
    let connection = try vault.database.connect(.readWrite)
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96), state: []))
      _ = try connection.insertGroup()
      for number: UInt8 in 0..<60 {
        try connection.putClaim(claim(lookup: lookup(number), box: UInt64(number) + 1))
        _ = try connection.insertBox(pattern(112), pattern(1_000), [])
      }
    }
    #expect(try connection.checkpoint(.truncate))
    connection.close()
    return vault
  }

  /// Opens the file and reads everything there is in it.
  private func readAll(_ vault: TemporaryVault) throws {
    let connection = try vault.database.connect(.readWrite)
    _ = try connection.head()
    _ = try connection.slots()
    _ = try connection.groups()
    _ = try connection.pages(from: 0, through: 4095)
    _ = try connection.claims()
    try connection.forEachAttributes { _, _ in true }
    try connection.forEachBox { _ in true }
    guard try connection.integrityCheck() else { throw DatabaseError(.corrupt) }
  }

  private let damage: [DatabaseError] = [
    DatabaseError(.notADatabase), DatabaseError(.corrupt), DatabaseError(.schemaMismatch),
  ]

  @Test("cut short at every page boundary and inside the first page")
  func truncated() throws {
    let vault = try filledVault()
    let whole = try vault.bytes()
    #expect(throws: Never.self) { try readAll(vault) }
    let boundaries = stride(from: 4096, to: whole.count, by: 4096)
    try #require(boundaries.underestimatedCount > 10)
    for count in [0, 1, 99, 100, 512, 4095] + Array(boundaries) {
      try vault.replace(with: Array(whole[..<count]))
      let error = #expect(throws: DatabaseError.self, "\(count) bytes") { try readAll(vault) }
      #expect(
        error.map { damage.contains($0) } == true,
        "\(count) bytes: \(String(describing: error))"
      )
    }
  }

  @Test("with another page size in its header", arguments: [0, 1, 512, 8192, 32_768, 4097])
  func pageSize(size: UInt16) throws {
    let vault = try filledVault()
    var bytes = try vault.bytes()
    bytes[16] = UInt8(size >> 8)
    bytes[17] = UInt8(size & 0xff)
    try vault.replace(with: bytes)
    let error = #expect(throws: DatabaseError.self) { try readAll(vault) }
    #expect(error.map { damage.contains($0) } == true)
  }

  @Test("a sound database of another page size")
  func otherPageSize() throws {
    let vault = try TemporaryVault(isCreated: false)
    let tables = SchemaTests.texts.joined(separator: ";")
    try vault.edit("PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; \(tables)")
    #expect(throws: DatabaseError(.schemaMismatch)) { try vault.database.connect(.readWrite) }
  }

  @Test("a sound database in UTF-16")
  func otherEncoding() throws {
    let vault = try TemporaryVault(isCreated: false)
    let tables = SchemaTests.texts.joined(separator: ";")
    try vault.edit("PRAGMA encoding = 'UTF-16'; PRAGMA journal_mode = WAL; \(tables)")
    for access in [DatabaseAccess.readWrite, .readOnly, .immutable] {
      #expect(throws: DatabaseError(.schemaMismatch)) { try vault.database.connect(access) }
    }
  }

  @Test("a sound database with a rollback journal")
  func rollbackJournal() throws {
    let vault = try TemporaryVault()
    try vault.edit("PRAGMA journal_mode = DELETE")
    for access in [DatabaseAccess.readWrite, .readOnly] {
      #expect(throws: DatabaseError(.schemaMismatch)) { try vault.database.connect(access) }
    }
    #expect(try vault.fileNames() == ["test.vault"])
  }

  @Test("a text, a folder, random bytes")
  func garbage() throws {
    let vault = try TemporaryVault(isCreated: false)
    for bytes in [Array("a letter to nobody, of some length".utf8), pattern(20_000)] {
      try vault.replace(with: bytes)
      #expect(throws: DatabaseError(.notADatabase)) { try vault.database.connect(.readWrite) }
    }
    let folder = SQLiteDatabase(path: vault.folder, busyTimeout: 0)
    #expect(throws: DatabaseError(.cannotOpen)) { try folder.connect(.readWrite) }
  }

  @Test("an empty file, which stays empty")
  func empty() throws {
    let vault = try TemporaryVault(isCreated: false)
    #expect(throws: DatabaseError(.schemaMismatch)) { try vault.database.connect(.readWrite) }
    #expect(try vault.bytes().isEmpty)
    #expect(try vault.fileNames() == ["test.vault"])
  }

  @Test("four hundred files with random bytes changed are read or refused")
  func mutations() throws {
    let vault = try filledVault()
    let whole = try vault.bytes()
    var generator = SplitMix(state: 42)
    var refused = 0
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0...Int.random(in: 0..<8, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
      }
      try vault.replace(with: bytes)
      do {
        try readAll(vault)
      } catch is DatabaseError {
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  @Test("the integrity check tells a damaged page")
  func integrity() throws {
    let vault = try filledVault()
    let sound = try vault.database.connect(.readWrite)
    #expect(try sound.integrityCheck())
    sound.close()
    var bytes = try vault.bytes()
    let last = bytes.count - 4096
    bytes.replaceSubrange(last..., with: [UInt8](repeating: 0, count: 4096))
    try vault.replace(with: bytes)
    let damaged = try vault.database.connect(.readWrite)
    #expect(try !damaged.integrityCheck())
  }
}
