import Foundation
import TestSupport
import VaultDatabase

/// A folder of its own with one empty vault file; both disappear with this value.
final class TemporaryVault {
  let folder: String
  let path: String
  let database: SQLiteDatabase

  /// Makes the file, without tables and bytes if `isCreated` is false.
  init(isCreated: Bool = true, busyTimeout: Int32 = 1_000) throws {
    folder = "/tmp/vault-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: false
    )
    path = folder + "/test.vault"
    database = SQLiteDatabase(path: path, busyTimeout: busyTimeout)
    try makeEmptyFile("test.vault")
    if isCreated { try database.create() }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The path of a new file of no bytes and mode 0600.
  @discardableResult
  func makeEmptyFile(_ name: String) throws -> String {
    let file = folder + "/" + name
    let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard FileManager.default.createFile(atPath: file, contents: Data(), attributes: mode) else {
      throw CocoaError(.fileWriteUnknown)
    }
    return file
  }

  /// The names of the files in the folder, sorted.
  func fileNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// The bytes of a file; only while no connection of this process is open, since closing a file drops its locks.
  func bytes(of name: String = "test.vault") throws -> [UInt8] {
    let file = folder + "/" + name
    // Foundation leaks a buffer for each empty file that it reads, which a leak check would report.
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    return size == 0 ? [] : [UInt8](try Data(contentsOf: URL(filePath: file)))
  }

  /// Replaces the vault file.
  func replace(with bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// Runs statements on the file as somebody would who has his own SQLite.
  func edit(_ statements: String) throws {
    let raw = try RawDatabase(path)
    try raw.execute(statements)
  }
}
