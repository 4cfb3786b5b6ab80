import Foundation
import SecretVault
import Testing
import VaultCrypto

/// A folder of its own for one test, removed at the end, with a vault and a state folder in it.
final class TemporaryVault: Sendable {
  let folder: String
  let keyFile: SecretBytes

  init() throws {
    folder = NSTemporaryDirectory() + "secretvault-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    keyFile = try Credential.makeKeyFile()
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  var path: String { folder + "/test.vault" }
  var statePath: String { folder + "/state" }
  var credential: Credential { .keyFile(contents: keyFile) }

  var options: SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = statePath
    return options
  }

  /// Makes the vault, opened by the key file and by `more`.
  func create(
    alsoProtectedBy more: [SecretStore.NewSlot] = [],
    lockState: any LockStateProvider = ManualLockState()
  ) throws -> SecretStore {
    try SecretStore.create(
      at: path,
      protectedBy: [SecretStore.NewSlot(credential)] + more,
      lockState: lockState,
      options: options
    )
  }

  /// Opens the vault, locked.
  func open(lockState: any LockStateProvider = ManualLockState()) throws -> SecretStore {
    try SecretStore.open(at: path, lockState: lockState, options: options)
  }

  /// Opens the vault and unlocks it with the key file.
  func openUnlocked(lockState: any LockStateProvider = ManualLockState()) throws -> SecretStore {
    let store = try open(lockState: lockState)
    try store.unlock(with: credential)
    return store
  }
}

extension TemporaryVault {
  /// Expects that a store of the vault has so many items, and that all of them verify.
  func requireSound(_ store: SecretStore, itemCount: Int) throws {
    #expect(try store.items().items.count == itemCount)
    let report = try store.administration(with: credential).check()
    #expect(report.findings.filter { !$0.message.hasPrefix("only one slot") } == [])
    #expect(report.verifiedCount == itemCount)
  }
}

extension SecretBytes {
  init(_ text: String) throws {
    try self.init(copying: Array(text.utf8))
  }

  var text: String? { copiedAsString() }
}

extension TemporaryVault {
  /// A vault with one item of every class.
  static func withEveryClass(alsoProtectedBy more: [SecretStore.NewSlot]) throws -> TemporaryVault {
    let vault = try TemporaryVault()
    let store = try vault.create(alsoProtectedBy: more)
    for accessibility in Accessibility.allCases {
      try store.set(SecretBytes("token"), for: .of(accessibility), accessibility: accessibility)
    }
    store.close()
    return vault
  }
}

extension ItemIdentity {
  /// The item of a class.
  static func of(_ accessibility: Accessibility) -> ItemIdentity {
    ItemIdentity(service: accessibility.rawValue, account: "alice")
  }
}
