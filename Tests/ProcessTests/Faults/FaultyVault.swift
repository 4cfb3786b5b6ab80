import Foundation
import SecretVault
import TestSupport

/// A vault, its state folder and its backup in one folder, from which fresh copies are made.
struct FaultyVault {
  let folder: TemporaryFolder
  let keyFile: SecretBytes

  /// Makes a vault with a passphrase, three items and a backup of an earlier state, closed.
  init() throws {
    try StorageWatch.install()
    folder = try TemporaryFolder()
    keyFile = try Credential.makeKeyFile()
    let origin = trial("origin")
    try FileManager.default.createDirectory(
      atPath: origin.folder,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    var passphrase = SecretStore.NewSlot(.passphrase(try SecretBytes("passphrase")))
    passphrase.log2N = 15
    let store = try SecretStore.create(
      at: origin.path,
      protectedBy: [SecretStore.NewSlot(origin.credential), passphrase],
      options: origin.options
    )
    try store.set(SecretBytes("old"), for: Trial.item)
    try store.administration(with: origin.credential).backup(to: origin.backupPath)
    for name in ["left", "right"] {
      try store.set(SecretBytes(name), for: ItemIdentity(service: name))
    }
    try store.emptyLog()
    store.close()
  }

  /// A fresh copy of everything.
  func copy(_ name: String) throws -> Trial {
    let copy = trial(name)
    try FileManager.default.copyItem(atPath: folder.path("origin"), toPath: copy.folder)
    return copy
  }

  private func trial(_ name: String) -> Trial {
    Trial(folder: folder.path(name), credential: .keyFile(contents: keyFile))
  }
}

/// One copy of a vault, for one attempt.
struct Trial: Sendable {
  static let item = ItemIdentity(service: "api.example.com", account: "alice")

  let folder: String
  let credential: Credential

  var path: String { folder + "/test.vault" }
  var backupPath: String { folder + "/test.backup" }

  var options: SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = folder + "/state"
    options.busyTimeoutMilliseconds = 200
    return options
  }

  func open() throws -> SecretStore {
    try SecretStore.open(at: path, options: options)
  }

  func openUnlocked() throws -> SecretStore {
    let store = try open()
    try store.unlock(with: credential)
    return store
  }

  /// What the vault holds, verified whole by a new opening that raises no alarm; it must be sound.
  func contents() throws -> VaultState {
    let store = try openUnlocked()
    defer { store.close() }
    let administration = try store.administration(with: credential)
    let notices = store.takeNotices()
    guard notices.isEmpty else { throw UnexpectedEnd(description: "\(notices)") }
    let report = try administration.check()
    guard report.isSound else { throw UnexpectedEnd(description: "\(report.findings)") }
    return try VaultState(of: store, administration)
  }

  func remove() throws { try FileManager.default.removeItem(atPath: folder) }
}

/// What tells one state of a vault from another: items with their secrets, and slots.
struct VaultState: Hashable {
  private var secrets: [String: String] = [:]
  private var slots: [String] = []

  init(of store: SecretStore, _ administration: VaultAdministration) throws {
    for item in try store.items().items {
      let name = "\(item.identity.service.text ?? "")/\(item.identity.account.text ?? "")"
      secrets[name] = try store.secret(for: item.identity)?.copiedAsString()
    }
    slots = try administration.slots().map { "\($0.id) \($0.label)" }
  }
}

extension VaultState {
  /// Whether this is just what a change makes of another state.
  func isResult(of change: VaultChange, on old: VaultState) -> Bool {
    var expected = old.secrets
    switch change {
    case .add: expected["new/"] = "new"
    case .update: expected["api.example.com/alice"] = "new"
    case .delete: expected["api.example.com/alice"] = nil
    case .restore: expected = ["api.example.com/alice": "old"]
    case .drain: for number in 0..<20 { expected["\(number)/"] = "\(number)" }
    case .slotRemoval, .passphrase, .rotation: break
    }
    let slotCount =
      [.slotRemoval, .rotation].contains(change) ? old.slots.count - 1 : old.slots.count
    return secrets == expected && slots.count == slotCount
  }
}
