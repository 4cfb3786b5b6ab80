import Foundation
import SecretVault

extension TemporaryVault {
  var backupPath: String { folder + "/backups/vault.backup" }

  /// Makes the folder of backups, empty and private.
  func makeBackupFolder() throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/backups",
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Writes a backup of the vault.
  func backUp() throws {
    let store = try open()
    defer { store.close() }
    try store.administration(with: credential).backup(to: backupPath)
  }

  /// Restores the vault from the backup.
  @discardableResult
  func restore() throws -> RestoreReport {
    let store = try open()
    defer { store.close() }
    return try store.restore(from: backupPath, with: credential)
  }

  /// The names in the folder of backups.
  func backupNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/backups").sorted()
  }

  /// What was left of the work on a copy beside the vault.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.contains(".restore") || $0.contains(".new") }
  }
}
