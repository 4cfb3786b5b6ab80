import Glibc
import SecretVault

/// The vault that a verb works on.
struct WorkingVault {
  let path: String
  let statePath: String
  let keyPath: String

  var options: SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = statePath
    if let group = unsafe getenv("SECRETVAULT_SHARED_WITH") {
      options.sharedWith = unsafe UInt32(String(cString: group)).map { UnixGroup(number: $0) }
    }
    return options
  }

  /// Opens the vault, locked.
  func open() throws -> SecretStore {
    try SecretStore.open(at: path, options: options)
  }

  /// Opens the vault and unlocks it with the key file.
  func openUnlocked() throws -> SecretStore {
    let store = try open()
    try store.unlock(with: .keyFile(at: keyPath))
    return store
  }

  /// Reads a passphrase from a private file.
  func passphrase(in file: String) throws -> SecretBytes {
    try SecretBytes(contentsOfPrivateFile: file, maximumByteCount: 1024)
  }

  /// Makes the vault with one item, and ends without closing it, so that every file beside it stays.
  func createAndVanish() throws {
    let slot = SecretStore.NewSlot(try .keyFile(at: keyPath))
    let store = try SecretStore.create(at: path, protectedBy: [slot], options: options)
    try store.set(SecretBytes(copying: [1, 2, 3]), for: ItemIdentity(service: "made"))
    _exit(0)
  }

  /// Adds one to the number that an item holds, again and again.
  func increment(_ service: String, times: Int) throws {
    let store = try openUnlocked()
    for _ in 0..<times {
      try store.update(ItemIdentity(service: service)) { _, secret in
        let number = secret?.copiedAsString().flatMap { Int($0) } ?? 0
        secret = try SecretBytes(copying: Array(String(number + 1).utf8))
      }
    }
    store.close()
  }

  /// Changes a passphrase at the least cost that a vault takes, which the tool does not offer.
  func changePassphrase(from old: String, to new: String) throws {
    let store = try open()
    let administration = try store.administration(with: .passphrase(passphrase(in: old)))
    _ = try administration.changePassphrase(to: passphrase(in: new), log2N: 15)
    store.close()
  }
}
