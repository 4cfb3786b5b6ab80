import SecretVault

/// What a child process needs to open the vault of the test that started it.
struct ChildVault: Codable, Sendable {
  let path: String
  let statePath: String
  let keyFile: [UInt8]

  init(_ vault: TemporaryVault) {
    path = vault.path
    statePath = vault.statePath
    keyFile = vault.keyFile.copied(as: [UInt8].self)
  }

  var credential: Credential {
    get throws { .keyFile(contents: try SecretBytes(copying: keyFile)) }
  }

  var options: SecretStore.Options {
    var options = SecretStore.Options()
    options.stateDirectory = statePath
    return options
  }

  func open(lockState: any LockStateProvider = ManualLockState()) throws -> SecretStore {
    try SecretStore.open(at: path, lockState: lockState, options: options)
  }

  func openUnlocked(lockState: any LockStateProvider = ManualLockState()) throws -> SecretStore {
    let store = try open(lockState: lockState)
    try store.unlock(with: credential)
    return store
  }
}
