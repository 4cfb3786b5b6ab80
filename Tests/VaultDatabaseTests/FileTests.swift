import Foundation
import Testing
import VaultDatabase

@Suite("The files of a vault")
struct FileTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func putHead(_ connection: any DatabaseConnection, seed: Int = 1) throws {
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96, seed: seed), state: []))
    }
  }

  @Test("the log and the shared memory have the mode of the vault")
  func modes() throws {
    let vault = try TemporaryVault()
    let connection = try vault.database.connect(.readWrite)
    try putHead(connection)
    #expect(try vault.fileNames() == ["test.vault", "test.vault-shm", "test.vault-wal"])
    for suffix in ["", "-shm", "-wal"] { #expect(try mode(vault.path + suffix) == 0o600) }
  }

  @Test("the last connection leaves the log, and the next reads from it")
  func logIsKept() throws {
    let vault = try TemporaryVault()
    let first = try vault.database.connect(.readWrite)
    try putHead(first)
    first.close()
    #expect(try vault.fileNames().contains("test.vault-wal"))
    #expect(try !vault.bytes(of: "test.vault-wal").isEmpty)
    let second = try vault.database.connect(.readWrite)
    #expect(try second.head().record == pattern(96))
  }

  @Test("a symbolic link is refused as the file and as its folder")
  func links() throws {
    let vault = try TemporaryVault()
    let link = vault.folder + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: vault.path
    )
    let folderLink = vault.folder + "/folder"
    try FileManager.default.createSymbolicLink(
      atPath: folderLink,
      withDestinationPath: vault.folder
    )
    for path in [link, folderLink + "/test.vault"] {
      let database = SQLiteDatabase(path: path, busyTimeout: 0)
      for access in [DatabaseAccess.readWrite, .readOnly, .immutable] {
        #expect(throws: DatabaseError(.cannotOpen)) { try database.connect(access) }
      }
      #expect(throws: DatabaseError(.cannotOpen)) { try database.create() }
    }
  }

  @Test(
    "a name is a file and nothing else",
    arguments: ["", ":memory:", "file::memory:", "file:none?mode=memory", "zero\0byte"]
  )
  func names(name: String) {
    let database = SQLiteDatabase(path: name, busyTimeout: 0)
    for access in [DatabaseAccess.readWrite, .readOnly, .immutable] {
      #expect(throws: DatabaseError(.cannotOpen)) { try database.connect(access) }
    }
    #expect(throws: DatabaseError(.cannotOpen)) { try database.create() }
  }

  @Test(
    "every name opens, also without a log",
    arguments: ["a b", "50%41", "a?x=1#y", "ü\u{1}'\"&", "file:x"]
  )
  func strangeNames(name: String) throws {
    let vault = try TemporaryVault()
    let path = try vault.makeEmptyFile(name)
    try SQLiteDatabase(path: path, busyTimeout: 0).create()
    for path in [path, "/" + path, "///" + path] {
      let database = SQLiteDatabase(path: path, busyTimeout: 0)
      for access in [DatabaseAccess.readWrite, .readOnly, .immutable] {
        let connection = try database.connect(access)
        #expect(try connection.slots().isEmpty)
        connection.close()
      }
    }
  }

  @Test("an immutable connection makes no files")
  func immutable() throws {
    let vault = try TemporaryVault()
    let writer = try vault.database.connect(.readWrite)
    try putHead(writer)
    #expect(try writer.checkpoint(.truncate))
    writer.close()
    for suffix in ["-shm", "-wal"] {
      try FileManager.default.removeItem(atPath: vault.path + suffix)
    }
    let connection = try vault.database.connect(.immutable)
    #expect(try connection.head().record == pattern(96))
    #expect(try vault.fileNames() == ["test.vault"])
    #expect(throws: DatabaseError(.readOnly)) { try putHead(connection) }
  }

  @Test("a file that may not be written is not opened for writing", .enabled(if: geteuid() != 0))
  func notPermitted() throws {
    let vault = try TemporaryVault()
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: vault.path)
    #expect(throws: DatabaseError(.readOnly)) { try vault.database.connect(.readWrite) }
  }

  @Test("a truncating checkpoint empties the log unless a reader needs it")
  func checkpoint() throws {
    let vault = try TemporaryVault()
    let connection = try vault.database.connect(.readWrite)
    let reader = try vault.database.connect(.readOnly)
    try putHead(connection)
    try reader.beginRead()
    _ = try reader.head()
    try putHead(connection, seed: 2)
    #expect(try !connection.checkpoint(.truncate))
    #expect(try !connection.checkpoint(.passive))
    try reader.commit()
    #expect(try connection.checkpoint(.passive))
    #expect(try connection.checkpoint(.truncate))
    reader.close()
    connection.close()
    #expect(try vault.bytes(of: "test.vault-wal").isEmpty)
  }

  @Test("a commit that leaves a long log writes it back into the file, a short one does not")
  func automaticCheckpoint() throws {
    let vault = try TemporaryVault()
    let before = try vault.bytes()
    let connection = try vault.database.connect(.readWrite)
    try connection.write { _ = try connection.insertBox([], pattern(100_000), []) }
    #expect(try vault.bytes() == before)
    for _ in 0..<3 {
      try connection.write {
        for _ in 0..<5 { _ = try connection.insertBox([], pattern(1_000_000), []) }
      }
    }
    connection.close()
    #expect(try vault.bytes().count > 10_000_000)
  }

  @Test("nothing of a deleted or replaced blob is left after a checkpoint")
  func secureDelete() throws {
    let vault = try TemporaryVault()
    var generator = SplitMix(state: 1)
    let marker = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    func isFound() throws -> Bool {
      for name in try vault.fileNames() {
        if Data(try vault.bytes(of: name)).range(of: Data(marker)) != nil { return true }
      }
      return false
    }
    func change(_ body: (any DatabaseConnection) throws -> Void) throws {
      let connection = try vault.database.connect(.readWrite)
      try connection.write { try body(connection) }
      #expect(try connection.checkpoint(.truncate))
      connection.close()
    }
    let filler = pattern(9_000, seed: 5)
    try change { connection in
      for _ in 0..<9 { _ = try connection.insertBox(marker, filler + marker, marker) }
    }
    #expect(try isFound())
    try change { connection in
      for box: Int64 in 1...5 { try connection.deleteBox(id: box) }
      for box: Int64 in 6...9 { try connection.updateBox(id: box, filler, [], []) }
    }
    #expect(try !isFound())
  }
}
