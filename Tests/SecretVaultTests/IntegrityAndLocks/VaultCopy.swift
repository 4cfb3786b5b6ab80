import Foundation
import SecretVault

/// A copy of a vault file, as a backup program or a thief makes it; no store may be open meanwhile.
struct VaultCopy {
  fileprivate let contents: Data
}

extension TemporaryVault {
  /// Copies the file; stores must have been closed with ``SecretStore/closeDrained()``.
  func copy() throws -> VaultCopy {
    VaultCopy(contents: try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Puts a copy in the place of the file, without the log that belonged to the former one.
  func put(_ copy: VaultCopy) throws {
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    try writePrivately(copy.contents, to: path)
  }

  /// Writes a file that is closed to others, in the place of a former one.
  func writePrivately(_ contents: Data, to path: String) throws {
    try contents.write(to: URL(fileURLWithPath: path), options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  /// Opens and unlocks the vault as another machine, which keeps its own state.
  func openUnlocked(onMachine name: String) throws -> SecretStore {
    var options = options
    options.stateDirectory = folder + "/state-of-" + name
    let store = try SecretStore.open(at: path, options: options)
    try store.unlock(with: credential)
    return store
  }
}

extension SecretStore {
  /// Closes the store and leaves nothing in the write-ahead log.
  func closeDrained() throws {
    try emptyLog()
    close()
  }

  /// Makes commits, each with an item of its own.
  func write(_ count: Int, _ prefix: String) throws {
    for number in 0..<count {
      try set(SecretBytes("secret"), for: ItemIdentity(service: "\(prefix)-\(number)"))
    }
  }
}
