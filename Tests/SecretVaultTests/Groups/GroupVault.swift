import SecretVault

/// A vault with the groups `default`, `work` and `home`, each with one item, and a key file for each of the latter two.
final class GroupVault: Sendable {
  let vault: TemporaryVault
  let workKey: SecretBytes
  let homeKey: SecretBytes

  static let own = ItemIdentity(service: "own.example.com", group: "default")
  static let work = ItemIdentity(service: "work.example.com", account: "w", group: "work")
  static let home = ItemIdentity(service: "home.example.com", account: "h", group: "home")

  /// Makes the vault and leaves it closed.
  init() throws {
    vault = try TemporaryVault()
    workKey = try Credential.makeKeyFile()
    homeKey = try Credential.makeKeyFile()
    let store = try vault.create()
    let administration = try store.administration(with: vault.credential)
    for (name, key) in [("work", workKey), ("home", homeKey)] {
      try administration.createGroup(name)
      try administration.addSlot(Self.slot(key, opening: name))
    }
    for identity in [Self.own, Self.work, Self.home] {
      try store.set(SecretBytes("secret of \(identity.group ?? "")"), for: identity)
    }
    try store.closeDrained()
  }

  static func slot(_ key: SecretBytes, opening group: String) -> SecretStore.NewSlot {
    var slot = SecretStore.NewSlot(.keyFile(contents: key))
    slot.group = group
    return slot
  }

  /// Opens the vault with the key file of one group, as a machine that keeps its own state.
  func open(_ key: SecretBytes, onMachine name: String = "member") throws -> SecretStore {
    let store = try open(onMachine: name)
    try store.unlock(with: .keyFile(contents: key))
    return store
  }

  /// Opens the vault, locked, as a machine that keeps its own state.
  func open(onMachine name: String) throws -> SecretStore {
    var options = vault.options
    options.stateDirectory = vault.folder + "/state-of-" + name
    return try SecretStore.open(at: vault.path, options: options)
  }
}
