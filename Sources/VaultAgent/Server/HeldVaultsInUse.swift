import SecretVault

// How the stores of the vaults are used, and what happens where their keys are of no use any more.
extension HeldVaults {
  /// Runs a call of the store of a vault, which counts as use of the vault.
  ///
  /// - Throws: `VaultError`: `locked` where the vault is not held, and what the call throws. Where the keys are of no
  ///   use any more, the vault is dropped.
  func withStore<Result>(
    of path: VaultPath,
    _ body: (SecretStore) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    guard let vault = held(path).first else {
      throw VaultError(.locked, "the agent does not hold this vault; run secretvault unlock")
    }
    vault.noteUse()
    return try droppingOutdated(vault, body)
  }

  /// Drops the vaults whose keys others have made useless, so that nobody is told that such a vault is unlocked.
  func dropOutdated(_ path: VaultPath?) {
    for vault in held(path) where vault.store.lockState == .unlocked {
      // Whatever else is in the way is told by the call that meets it.
      try? droppingOutdated(vault) { store throws(VaultError) in
        // A look for any item, stored or not, meets the epoch of its group.
        for group in store.openedGroups {
          _ = try store.item(for: ItemIdentity(service: "", account: "", group: group))
        }
      }
    }
  }

  private func droppingOutdated<Result>(
    _ vault: HeldVault,
    _ body: (SecretStore) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    do {
      return try body(vault.store)
    } catch {
      if [.keysRotated, .vaultReplaced, .vaultMissing].contains(error.code) {
        drop(vault)
        announce([vault.path])
      }
      throw error
    }
  }
}
