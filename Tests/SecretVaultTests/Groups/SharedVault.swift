import Foundation
import Glibc
import SecretVault

/// A vault that a Unix group shares, in a folder of its own below that of a test.
struct SharedVault: Codable, Sendable {
  /// A group that the user of the tests may give files to: any for root, else the user's own.
  static let group = UnixGroup(number: geteuid() == 0 ? 61_100 : getegid())

  let folder: String
  let statePath: String
  let keyFile: [UInt8]

  init(_ vault: TemporaryVault) {
    folder = vault.folder + "/shared"
    statePath = vault.statePath
    keyFile = vault.keyFile.copied(as: [UInt8].self)
  }

  var path: String { folder + "/test.vault" }

  var credential: Credential {
    get throws { .keyFile(contents: try SecretBytes(copying: keyFile)) }
  }

  func options(_ group: UnixGroup? = Self.group) -> SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = statePath
    options.sharedWith = group
    return options
  }

  /// Makes the vault, or one in the same place that nobody shares.
  @discardableResult
  func create(sharedWith group: UnixGroup? = Self.group) throws -> SecretStore {
    try SecretStore.create(
      at: path,
      protectedBy: [SecretStore.NewSlot(credential)],
      options: options(group)
    )
  }

  func open(sharedWith group: UnixGroup? = Self.group) throws -> SecretStore {
    try SecretStore.open(at: path, options: options(group))
  }

  func openUnlocked(sharedWith group: UnixGroup? = Self.group) throws -> SecretStore {
    let store = try open(sharedWith: group)
    try store.unlock(with: credential)
    return store
  }

  /// The error with which opening the vault fails.
  func openingError(sharedWith group: UnixGroup? = Self.group) -> VaultError? {
    do throws(VaultError) {
      try SecretStore.open(at: path, options: options(group)).close()
      return nil
    } catch {
      return error
    }
  }

  /// The names in the folder, the folder itself first, as `.`.
  func names() throws -> [String] {
    try ["."] + FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// Mode, owner and group of a name in the folder.
  func status(_ name: String) throws -> stat {
    var status = stat()
    guard unsafe lstat(folder + "/" + name, &status) == 0 else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    return status
  }
}
