import SecretVault
import Testing

@Suite("Slots and checks")
struct AdministrationTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let alice = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
    try store.set(SecretBytes("token"), for: alice)
  }

  private func passphraseSlot(_ text: String) throws -> SecretStore.NewSlot {
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes(text)), label: "laptop")
    slot.log2N = 15
    return slot
  }

  @Test("a slot that was added opens the vault, and one that was removed does not")
  func addAndRemove() throws {
    let administration = try store.administration(with: vault.credential)
    let id = try administration.addSlot(passphraseSlot("correct horse"))
    #expect(try administration.slots().map(\.label).sorted() == ["", "laptop"])
    let other = try vault.open()
    try other.unlock(with: .passphrase(SecretBytes("correct horse")))
    #expect(try other.secret(for: alice)?.text == "token")
    try administration.removeSlot(id)
    #expect(throws: VaultError(.credentialRejected)) {
      try vault.open().unlock(with: .passphrase(SecretBytes("correct horse")))
    }
  }

  @Test("a changed passphrase opens the vault, and the old one does not")
  func changePassphrase() throws {
    try store.administration(with: vault.credential).addSlot(passphraseSlot("old one"))
    let administration = try store.administration(with: .passphrase(SecretBytes("old one")))
    _ = try administration.changePassphrase(to: SecretBytes("new one"), log2N: 15)
    try vault.open().unlock(with: .passphrase(SecretBytes("new one")))
    #expect(throws: VaultError(.credentialRejected)) {
      try vault.open().unlock(with: .passphrase(SecretBytes("old one")))
    }
  }

  @Test("the last slot that opens the whole vault cannot be removed")
  func lastSlot() throws {
    let administration = try store.administration(with: vault.credential)
    let id = try #require(try administration.slots().first?.id)
    #expect(throws: VaultError(.invalidArgument)) { try administration.removeSlot(id) }
    try vault.open().unlock(with: vault.credential)
  }

  @Test("a sound vault passes the check, and every item counts")
  func soundCheck() throws {
    let report = try store.administration(with: vault.credential).check()
    #expect(report.isSound)
    #expect(report.verifiedCount == 1)
  }

  @Test("an administration ends with a lock of the store")
  func endsWithLock() throws {
    let administration = try store.administration(with: vault.credential)
    store.lock()
    #expect(throws: VaultError(.locked)) { try administration.slots() }
  }
}
