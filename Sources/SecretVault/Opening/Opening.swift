import Synchronization
package import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Opens the vault at a path, locked.
  ///
  /// Where the lock state is unlocked and its provider has a credential, the store is unlocked with it.
  ///
  /// - Throws: ``VaultError``: `vaultMissing`, `insecureFile`, `notAVault`, and what `unlock(with:)`
  ///   throws.
  public static func open(
    at path: String,
    lockState: any LockStateProvider = ManualLockState(),
    options: Options = Options()
  ) throws(VaultError) -> SecretStore {
    try open(at: path, lockState: lockState, options: options, random: .system)
  }

  package static func open(
    at path: String,
    lockState: any LockStateProvider,
    options: Options,
    random: RandomSource
  ) throws(VaultError) -> SecretStore {
    guard let location = try VaultLocation(path, rules: options.rules)
    else { throw VaultError(.vaultMissing) }
    let store = try SecretStore(
      location: location,
      options: options,
      provider: lockState,
      random: random
    )
    // Whether it is a vault at all is told before a credential is asked for.
    try store.sessions.withSession { session throws(VaultError) in
      try session.inReadTransaction { () throws(VaultError) in
        try VaultContents(reading: session.connection)
          .requireSharing(with: options.sharedWith)
      }
    }
    try store.writer.withLock { writer throws(VaultError) in try writer.noteLog(of: location) }
    store.follow()
    if lockState.state == .unlocked, let credential = try store.providedCredential() {
      try store.unlock(with: credential)
    }
    return store
  }

  private func providedCredential() throws(VaultError) -> Credential? {
    do { return try provider.credential() } catch { throw VaultError(translating: error) }
  }

  /// Opens the groups that a credential gives, and makes their keys ready.
  ///
  /// A passphrase is stretched first, which takes a quarter of a second and more on purpose.
  ///
  /// - Throws: ``VaultError``: `credentialRejected`, `locked` where the lock-state provider does not
  ///   permit it, `corruptHeader`, `kdfRefused`, `tampered`, `rolledBack`, `forked`, `vaultReplaced`.
  public func unlock(with credential: Credential) throws(VaultError) {
    try unlock(with: credential, made: nil)
  }

  func unlock(with credential: Credential, made: MadeSlot?) throws(VaultError) {
    try noteUse()
    let lockCount = lockCount
    guard provider.state == .unlocked else {
      throw VaultError(.locked, "the lock state does not permit it; unlock the provider first")
    }
    let opened = try sessions.withUnkeyedSession { session throws(VaultError) in
      try VaultOpening(store: self, credential: credential, made: made).run(session)
    }
    let groups = opened.open
    try unlocked.withWrite { state throws(VaultError) in
      try requireNoLock(since: lockCount, state)
      state.phase = .unlocked
      state.generation += 1
      state.open = groups
      sessions.forEachIdle { $0.forgetAll() }
      observer.note(.unlocked)
    }
    observer.wakeReaders()
    observer.lookSoon()
    // A provider may change before it tells.
    let present = provider.state
    guard present == .unlocked else {
      follow(present)
      throw VaultError(
        .locked,
        "the lock state does not permit it any more; unlock the provider first"
      )
    }
  }
}
