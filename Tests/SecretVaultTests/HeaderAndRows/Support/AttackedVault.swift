import Foundation
import SecretVault
import Testing

/// A vault that was closed, opened again and again between an attacker's edits of its file.
extension TemporaryVault {
  /// Makes the vault, fills it, and closes it.
  func createClosed(
    alsoProtectedBy more: [SecretStore.NewSlot] = [],
    filling fill: (SecretStore) throws -> Void = { _ in }
  ) throws {
    let store = try create(alsoProtectedBy: more)
    try fill(store)
    store.close()
  }

  /// Opens the file with the tools of an attacker.
  func raw() throws -> RawVault { try RawVault(path) }

  /// The code with which opening the file fails before any credential was asked for.
  func openingCode() -> VaultError.Code? {
    Self.code { try self.open().close() }
  }

  /// The code with which unlocking fails, or `nil` where it succeeds.
  func unlockingCode(
    _ credential: Credential? = nil,
    state: String? = nil
  ) throws -> VaultError.Code? {
    var options = options
    if let state { options.stateDirectory = state }
    let store = try SecretStore.open(at: path, options: options)
    defer { store.close() }
    return Self.code { try store.unlock(with: credential ?? self.credential) }
  }

  /// The code of the error that `body` throws, or `nil` where it throws none.
  static func code(_ body: () throws -> Void) -> VaultError.Code? {
    do {
      try body()
      return nil
    } catch let error as VaultError {
      return error.code
    } catch {
      Issue.record(error)
      return nil
    }
  }

  /// The bytes of the file; only while no store of this process has it open.
  func fileBytes() throws -> [UInt8] {
    try raw().emptyLog()
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Replaces the bytes of the file.
  func replaceFile(with bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }
}

extension SecretStore.NewSlot {
  /// A slot for a passphrase, as cheap as a reader accepts.
  static func passphrase(_ text: String, log2N: UInt8 = 15) throws -> Self {
    var slot = Self(.passphrase(try SecretBytes(text)))
    slot.log2N = log2N
    return slot
  }
}
