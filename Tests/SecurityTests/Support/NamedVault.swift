import Foundation
import SecretVault
import Synchronization
import TestSupport

/// A lock state that is always unlocked, and whose stores can be made to lose their keys, as a change of the
/// keys by another process does.
final class ForgetfulState: LockStateProvider {
  private let given: Credential
  private let observations = Mutex<[LockObservation]>([])

  init(credential: Credential) {
    given = credential
  }

  var state: LockState { .unlocked }

  func observe(_ observation: LockObservation) {
    observations.withLock { $0.append(observation) }
  }

  func credential() throws -> Credential? { given }

  func forgetKeys() {
    for observation in observations.withLock({ $0 }) { observation.notify(.beforeFirstUnlock) }
  }
}

/// A vault that variables name, with a key file beside it.
struct NamedVault {
  let folder: TemporaryFolder
  let path: String
  let keyFile: SecretBytes

  init(at name: String = "test.vault", passphrase: String? = nil, needsBoth: Bool = false) throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    keyFile = try Credential.makeKeyFile()
    try folder.write(keyFile.copied(as: [UInt8].self), to: "key")
    var slots = [SecretStore.NewSlot(.keyFile(contents: keyFile))]
    if let passphrase {
      let secret = try SecretBytes(copying: Array(passphrase.utf8))
      var slot = SecretStore.NewSlot(
        needsBoth ? .passphrase(secret, keyFileContents: keyFile) : .passphrase(secret)
      )
      slot.log2N = 15
      slots = needsBoth ? [slot] : slots + [slot]
    }
    try SecretStore.create(at: path, protectedBy: slots, options: options).close()
  }

  var variables: [String: String] {
    [
      "SECRETVAULT_PATH": path, "SECRETVAULT_KEY_FILE": folder.path("key"),
      "SECRETVAULT_STATE": folder.path("state"),
    ]
  }

  /// Makes a group and a key file that opens nothing else, and returns its path.
  func addKeyFile(ofGroup group: String) throws -> String {
    let store = try SecretStore.open(at: path, options: options)
    defer { store.close() }
    let credential = Credential.keyFile(contents: keyFile)
    try store.administration(with: credential).createGroup(group)
    let contents = try Credential.makeKeyFile()
    var slot = SecretStore.NewSlot(.keyFile(contents: contents))
    slot.group = group
    _ = try store.administration(with: credential).addSlot(slot)
    return try folder.write(contents.copied(as: [UInt8].self), to: "group.key")
  }

  /// The names of the groups that the key file opens.
  func openedGroups() throws -> [String] {
    let store = try SecretStore.open(at: path, options: options)
    defer { store.close() }
    try store.unlock(with: .keyFile(contents: keyFile))
    return store.openedGroups
  }

  var options: SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = folder.path("state")
    return options
  }
}
