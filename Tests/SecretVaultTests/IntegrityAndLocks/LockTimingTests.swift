import Foundation
import SecretVault
import TestSupport
import Testing

@Suite("Idle locks and services that never lock")
struct LockTimingTests {
  private let vault: TemporaryVault
  private let item = ItemIdentity.of(.whenUnlocked)

  init() throws {
    vault = try TemporaryVault()
    try vault.createClosed { store in try store.set(SecretBytes("token"), for: item) }
  }

  @Test("an idle vault locks, and opens again only with a credential")
  func idle() throws {
    let provider = IdleLockState(after: .milliseconds(100))
    let store = try vault.openUnlocked(lockState: provider)
    #expect(eventually { store.lockState == .locked })
    #expect(provider.state == .locked)
    #expect(throws: VaultError(.locked)) { try store.secret(for: item) }
    #expect(throws: VaultError(.locked)) { try store.unlock(with: vault.credential) }
    provider.unlock()
    #expect(throws: VaultError(.locked)) { try store.secret(for: item) }
    try store.unlock(with: vault.credential)
    #expect(try store.secret(for: item)?.text == "token")
    #expect(eventually { store.lockState == .locked }, "it counts anew after an unlock")
  }

  @Test("use keeps a vault from locking")
  func use() throws {
    let limit = Duration.seconds(1)
    let provider = IdleLockState(after: limit)
    let store = try vault.openUnlocked(lockState: provider)
    let start = ContinuousClock.now
    var last = start
    var longestPause = Duration.zero
    var wasLocked = false
    while start.duration(to: last) < limit * 2 {
      wasLocked = (try? store.secret(for: item)) == nil || wasLocked
      longestPause = max(longestPause, last.duration(to: .now))
      last = .now
    }
    // On a machine that stood still for so long the lock would be right.
    #expect(!wasLocked || longestPause > limit / 2)
    #expect(eventually { store.lockState == .locked })
  }

  @Test("an idle lock can be locked by hand, and no limit is too long")
  func byHand() throws {
    let provider = IdleLockState(after: .seconds(Int64.max))
    let store = try vault.openUnlocked(lockState: provider)
    #expect(try store.secret(for: item)?.text == "token")
    provider.lock()
    #expect(store.lockState == .locked)
  }

  @Test("a service that holds a credential opens its vault unlocked")
  func alwaysUnlocked() throws {
    let credential = vault.credential
    let store = try vault.open(lockState: AlwaysUnlocked { credential })
    #expect(try store.secret(for: item)?.text == "token")
  }

  @Test("a service can keep its credential in a private key file")
  func keyFile() throws {
    let path = vault.folder + "/service.key"
    try vault.keyFile.write(toNewPrivateFile: path)
    let store = try vault.open(lockState: AlwaysUnlocked(keyFile: path))
    #expect(try store.secret(for: item)?.text == "token")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(throws: VaultError(.insecureFile)) {
      try vault.open(lockState: AlwaysUnlocked(keyFile: path))
    }
  }

  @Test("a service without its credential has a locked vault, and with a wrong one none")
  func withoutCredential() throws {
    let store = try vault.open(lockState: AlwaysUnlocked { nil })
    #expect(throws: VaultError(.locked)) { try store.secret(for: item) }
    let other = Credential.keyFile(contents: try Credential.makeKeyFile())
    #expect(throws: VaultError(.credentialRejected)) {
      try vault.open(lockState: AlwaysUnlocked { other })
    }
  }
}
