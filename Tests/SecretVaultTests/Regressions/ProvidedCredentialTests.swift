import SecretVault
import Testing

@Suite("A provider's credential")
struct ProvidedCredentialTests {
  /// A manual lock state that offers a credential of its own.
  private struct Provider: LockStateProvider {
    let manual = ManualLockState(.locked)
    let offered: Credential

    var state: LockState { manual.state }
    func observe(_ observation: LockObservation) { manual.observe(observation) }
    func credential() throws -> Credential? { offered }
  }

  @Test("one that does not open the vault leaves it locked and a notice")
  func wrongCredential() throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    let provider = Provider(offered: .keyFile(contents: try Credential.makeKeyFile()))
    let store = try vault.open(lockState: provider)
    provider.manual.unlock()
    #expect(store.lockState == .beforeFirstUnlock)
    #expect(store.takeNotices().contains(.notUnlocked))
  }

  @Test("one that opens the vault unlocks it without a notice")
  func rightCredential() throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    let provider = Provider(offered: vault.credential)
    let store = try vault.open(lockState: provider)
    provider.manual.unlock()
    #expect(store.lockState == .unlocked)
    #expect(!store.takeNotices().contains(.notUnlocked))
  }
}
