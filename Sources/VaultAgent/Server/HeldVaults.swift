import CLinux
import Dispatch
import SecretVault
import Synchronization

/// The vaults that the agent holds keys of, by their paths.
///
/// Whoever follows a vault is told of each change of its lock state. The lock of the table is never held while a
/// store works.
final class HeldVaults: Sendable {
  /// More than a person has; it bounds what the agent holds.
  private static let countLimit = 64

  private struct Table {
    var vaults: [VaultPath: HeldVault] = [:]
    /// Unlocks that nobody has asked to lock again since they came, by numbers of their own.
    var pendingUnlocks: [UInt64: VaultPath] = [:]
    var unlockCount: UInt64 = 0
  }

  private let limits: HoldingLimits
  private let attempts: UnlockAttempts
  private let observers: Observers
  private let table = Mutex(Table())

  init(limits: HoldingLimits, attempts: UnlockAttempts, observers: Observers) {
    self.limits = limits
    self.attempts = attempts
    self.observers = observers
  }

  /// The vaults of one path, or all.
  func held(_ path: VaultPath?) -> [HeldVault] {
    table.withLock { table in
      guard let path else { return Array(table.vaults.values) }
      return table.vaults[path].map { [$0] } ?? []
    }
  }

  /// What the agent tells of one vault, or of all, in the order of their paths.
  func statuses(of path: VaultPath?) -> [VaultStatus] {
    held(path).map(\.status).sorted { $0.path.text < $1.path.text }
  }

  /// The lock state of a vault; one that is not held counts as never unlocked.
  func state(of path: VaultPath) -> LockState {
    held(path).first?.store.lockState ?? .beforeFirstUnlock
  }

  /// Unlocks a vault when the turn for that has come.
  ///
  /// - Throws: `VaultError`: `busy`, `limitExceeded` where the agent holds too many vaults, `locked` where a request
  ///   to lock came meanwhile, and what the store throws.
  func unlock(_ request: UnlockRequest) throws(VaultError) {
    // scrypt has used many megabytes; what is cached of them goes back to the system.
    defer { _ = malloc_trim(0) }
    let number = table.withLock { table in
      table.unlockCount += 1
      table.pendingUnlocks[table.unlockCount] = request.path
      return table.unlockCount
    }
    defer { table.withLock { $0.pendingUnlocks[number] = nil } }
    try attempts.perform { () throws(VaultError) in
      try requirePending(number)
      if try !unlockHeld(request) { try open(request) }
      do throws(VaultError) {
        try requirePending(number)
      } catch {
        for vault in held(request.path) { vault.store.lock() }
        throw error
      }
    }
    announce([request.path])
  }

  private func requirePending(_ number: UInt64) throws(VaultError) {
    guard table.withLock({ $0.pendingUnlocks[number] }) != nil else {
      throw VaultError(.locked, "the agent was told to lock meanwhile; unlock again")
    }
  }

  /// Unlocks a vault that is held and was opened in the same way; false where there is none.
  private func unlockHeld(_ request: UnlockRequest) throws(VaultError) -> Bool {
    guard let vault = held(request.path).first, vault.opening == HeldVault.Opening(request) else {
      return false
    }
    do throws(VaultError) {
      try vault.store.unlock(with: request.credential.credential)
    } catch {
      guard error.code == .vaultReplaced || error.code == .vaultMissing else { throw error }
      drop(vault)
      return false
    }
    vault.noteUnlock(limits.overridden(by: request))
    return true
  }

  /// Opens a vault and holds it, in place of one that was opened in another way.
  private func open(_ request: UnlockRequest) throws(VaultError) {
    let store = try SecretStore.open(at: request.path.text, options: request.options)
    do throws(VaultError) {
      try store.unlock(with: request.credential.credential)
      let vault = HeldVault(
        path: request.path,
        store: store,
        opening: HeldVault.Opening(request),
        limits: limits.overridden(by: request)
      )
      let former = try table.withLock { table throws(VaultError) in
        guard table.vaults[vault.path] != nil || table.vaults.count < Self.countLimit else {
          throw VaultError(.limitExceeded, "the agent holds too many vaults; restart it")
        }
        return table.vaults.updateValue(vault, forKey: vault.path)
      }
      former?.store.close()
    } catch {
      store.close()
      throw error
    }
  }

  /// Wipes the keys of the locked classes of one vault, or of all; when this returns, they are gone, also from the
  /// programs that follow.
  func lock(_ path: VaultPath?) {
    table.withLock { table in
      table.pendingUnlocks = table.pendingUnlocks.filter { path != nil && $0.value != path }
    }
    let vaults = held(path)
    Self.forEachAtOnce(vaults) { $0.store.lock() }
    announce(vaults.map(\.path))
  }

  /// Locks what was not used for too long, drops what was held for too long, and returns when to ask again.
  func expire() -> ContinuousClock.Instant? {
    let now = ContinuousClock.now
    let due = held(nil).filter { [$0.end, $0.idleEnd].contains { $0.map { $0 <= now } ?? false } }
    Self.forEachAtOnce(due) { vault in
      if let end = vault.end, end <= now { self.drop(vault) } else { vault.store.lock() }
    }
    announce(due.map(\.path))
    return held(nil).flatMap { [$0.end, $0.idleEnd] }.compactMap(\.self).min()
  }

  /// Wipes every key.
  func closeAll() {
    Self.forEachAtOnce(held(nil)) { self.drop($0) }
  }

  /// Does something to several vaults at once: one whose running calls are slow to end keeps no other one open.
  private static func forEachAtOnce(
    _ vaults: [HeldVault],
    _ body: @escaping @Sendable (HeldVault) -> Void
  ) {
    guard vaults.count > 1 else { return vaults.forEach(body) }
    let group = DispatchGroup()
    for vault in vaults { DispatchQueue.global().async(group: group) { body(vault) } }
    group.wait()
  }

  /// Wipes all keys of a vault and forgets it.
  func drop(_ vault: HeldVault) {
    table.withLock { table in
      if table.vaults[vault.path] === vault { table.vaults[vault.path] = nil }
    }
    vault.store.close()
  }

  /// Tells those who follow the vaults their states.
  func announce(_ paths: [VaultPath]) {
    observers.announce(paths) { state(of: $0) }
  }
}
