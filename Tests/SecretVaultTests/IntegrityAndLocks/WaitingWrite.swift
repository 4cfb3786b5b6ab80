import SecretVault
import TestSupport
import Testing

/// Expects that a write which waits for another process ends when its vault is locked.
func expectLockToEndWrite(of vault: TemporaryVault) throws {
  var options = vault.options
  options.busyTimeoutMilliseconds = 60_000
  let store = try SecretStore.open(at: vault.path, options: options)
  try store.unlock(with: vault.credential)
  let isDone = Flag()
  let write = Background {
    defer { isDone.set() }
    try store.set(SecretBytes("changed"), for: .of(.whenUnlocked))
  }
  // The write may not be waiting yet when the first lock comes.
  #expect(
    eventually {
      store.lock()
      return isDone.isSet
    }
  )
  #expect(throws: VaultError(.locked)) { try write.result().get() }
}
