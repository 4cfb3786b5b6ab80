import SecretMemory
package import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Makes a vault with one access group and returns it unlocked.
  ///
  /// Missing folders are made with mode 0700, files have mode 0600 from their first byte; for a vault that a Unix group
  /// shares a missing folder is made with mode 2770, and files have mode 0660. The vault gets its name only
  /// when it is whole and durable; of several processes that create at once, one succeeds.
  ///
  /// Each of `slots`, of which there must be one, becomes a slot of its own that opens the whole vault. The group's
  /// name has 1 to 252 bytes.
  ///
  /// - Throws: ``VaultError``: `vaultExists`, `insecureFile`, `invalidArgument` for a malformed credential
  ///   or name.
  public static func create(
    at path: String,
    protectedBy slots: [NewSlot],
    group: String = "default",
    lockState: any LockStateProvider = ManualLockState(),
    options: Options = Options()
  ) throws(VaultError) -> SecretStore {
    try create(
      at: path,
      protectedBy: slots,
      group: group,
      lockState: lockState,
      options: options,
      random: .system
    )
  }

  package static func create(
    at path: String,
    protectedBy slots: [NewSlot],
    group: String,
    lockState: any LockStateProvider,
    options: Options,
    random: RandomSource
  ) throws(VaultError) -> SecretStore {
    guard let first = slots.first else {
      throw VaultError(.invalidArgument, "a vault needs a credential; give one")
    }
    guard slots.allSatisfy({ $0.group == nil }) else {
      throw VaultError(
        .invalidArgument,
        "a new vault has slots of the whole vault; add those of a group afterwards"
      )
    }
    do { try SelfTest.requirePassed() } catch { throw VaultError(translating: error) }
    if options.allowsUnlockedMemory { ProcessHardening.allowUnlockedMemory() }
    try VaultLocation.makeFolders(above: path, rules: options.rules)
    guard let location = try VaultLocation(path, rules: options.rules)
    else { throw VaultError(.inputOutput) }
    // Before the vault has its name: whoever is refused takes it that there is none, and drops its key.
    try checkStateFolder(options, rules: location.rules, random)
    var creation = VaultCreation(location: location, options: options, random: random)
    let made = try creation.run(slots: slots, group: group)
    let store = try SecretStore(
      location: location,
      options: options,
      provider: lockState,
      random: random
    )
    do {
      try store.anchors?.record(creation.vaultID, at: location.path)
    } catch {
      store.note(.anchorNotWritten)
    }
    store.follow()
    if lockState.state == .unlocked { try store.unlock(with: first.credential, made: made.first) }
    return store
  }

  /// Throws what opening the vault and its first unlock would throw about the state folder.
  private static func checkStateFolder(
    _ options: Options,
    rules: FileRules,
    _ random: RandomSource
  ) throws(VaultError) {
    _ = try AnchorStore.ifUsable(options, rules: rules, random: random)
    try DeviceKey.check(in: options.stateFolder(rules: rules))
  }
}
