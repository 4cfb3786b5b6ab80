import Foundation
import SecretVault
import TestSupport

/// A vault in a folder of its own, for an agent to hold.
final class AgentVault: Sendable {
  let folder: TemporaryFolder
  let keyFile: SecretBytes

  /// Makes a vault that a key file opens, and `more`, with one item of each of two classes.
  init(alsoProtectedBy more: [SecretStore.NewSlot] = []) throws {
    folder = try TemporaryFolder()
    keyFile = try Credential.makeKeyFile()
    let store = try SecretStore.create(
      at: path,
      protectedBy: [SecretStore.NewSlot(.keyFile(contents: keyFile))] + more,
      options: options
    )
    try store.set(SecretBytes("secret"), for: .whenUnlocked)
    try store.set(SecretBytes("always"), for: .always, accessibility: .afterFirstUnlock)
    store.close()
  }

  var path: String { folder.path("test.vault") }
  var statePath: String { folder.path("state") }

  var options: SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = statePath
    return options
  }

  /// Opens the vault without an agent, for a piece of work, and closes it.
  func withStore<Result>(_ body: (SecretStore) throws -> Result) throws -> Result {
    let store = try SecretStore.open(at: path, options: options)
    defer { store.close() }
    try store.unlock(with: .keyFile(contents: keyFile))
    return try body(store)
  }
}

extension ItemIdentity {
  static let whenUnlocked = ItemIdentity(service: "service")
  static let always = ItemIdentity(service: "always")
}

extension SecretBytes {
  init(_ text: String) throws {
    try self.init(copying: Array(text.utf8))
  }

  var text: String? { copiedAsString() }
}

extension SecretStore.NewSlot {
  /// A passphrase slot that costs 32 MiB and a tenth of a second.
  static func cheap(_ passphrase: String) throws -> SecretStore.NewSlot {
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes(passphrase)))
    slot.log2N = 15
    return slot
  }
}
