import VaultDatabase

/// What a restore did.
public struct RestoreReport: Hashable, Sendable {
  /// How many items were restored; all of them were verified as far as their keys are here.
  public let itemCount: Int
  /// The ids of the items that were left out because they are bound to another device, in ascending order.
  ///
  /// What they are called is sealed under that device's key too.
  public let removedItems: [String]
  /// What was done to give the vault new keys, or `nil` where those of the backup are not older than the vault's.
  public let rotation: RotationReport?
}

extension SecretStore {
  /// Replaces the contents of the vault by those of a backup of this vault, in one commit.
  ///
  /// The backup is copied, opened with the credential and verified whole beside the vault. There its counters are lifted above
  /// all that this machine remembers and the vault has, so that programs that have the vault open go on with the new state,
  /// and a copy of the former one is refused. Items that are bound to another device are left out. Only then the vault is
  /// overwritten, with the write lock held: what was committed until then is gone, and a process that is killed leaves the
  /// former state or the restored one.
  ///
  /// Slots, passphrases included, are those of the backup again. Where its keys are older than the vault's, or than what was
  /// seen here, it gets new ones as by a rotation, and keeps only the slots that the credential opens. Items marked so
  /// have to be written again before their secrets are given out. Whoever has an access group open that the backup lacks gets
  /// `keysRotated` and unlocks the vault again. The store need not be unlocked.
  ///
  /// - Throws: ``VaultError``: `vaultMissing` where there is no backup, `insecureFile` where others can reach it,
  ///   `notAVault`, `corruptHeader` or `tampered` where it is damaged, `vaultReplaced` where it is of another vault,
  ///   `notPermitted` for a credential that opens one group only, `busy`, and what `unlock(with:)` throws.
  @discardableResult
  public func restore(
    from path: String,
    with credential: Credential
  ) throws(VaultError) -> RestoreReport {
    try noteUse()
    guard access == .readWrite else { throw VaultError(.readOnly) }
    let lockCount = lockCount
    let backup = try BackupFile(path, options: options)
    try backup.requireOther(than: location)
    let copy = try UnfinishedCopy.make(beside: location)
    let prepared = try BackupFile.judged { () throws(VaultError) in
      try backup.fill(copy)
      return try copy.makeSession(.readWrite)
    }
    let present = try sessions.makeSession()
    defer {
      for session in [prepared, present] {
        session.forgetAll()
        session.connection.close()
      }
    }
    while true {
      var restore = try Optional(VaultRestore.prepare(self, prepared, over: present, credential))
      // A lock that comes now waits until the keys are gone again.
      let report = try unlocked.withRead { state throws(VaultError) in
        defer {
          prepared.forgetAll()
          present.forgetAll()
        }
        try requireNoLock(since: lockCount, state)
        guard let restore = restore.take() else { throw VaultError(.inputOutput) }
        return try restore.run()
      }
      // Else another process gave the vault new keys meanwhile; the copy is as it was.
      guard let report else { continue }
      if report.rotation != nil { forgetAllKeys(telling: .keysRotated) }
      return report
    }
  }
}
