import SecretVault
import Testing
import VaultFormat

/// Slots taken out, put in and put back by somebody who can recompute the checksum.
@Suite("The set of slots under attack")
struct SlotSetTests {
  private let vault: TemporaryVault
  private let other: Credential

  init() throws {
    vault = try TemporaryVault()
    other = .keyFile(contents: try Credential.makeKeyFile())
    try vault.createClosed(alsoProtectedBy: [SecretStore.NewSlot(other)])
  }

  @Test("H-5: the admin tag of another vault with the same credential is tampering")
  func foreignAdminTag() throws {
    let twin = try TemporaryVault()
    let store = try SecretStore.create(
      at: twin.path,
      protectedBy: [SecretStore.NewSlot(vault.credential), SecretStore.NewSlot(other)],
      options: twin.options
    )
    store.close()
    let foreign = try twin.raw().head().record[RawHead.adminTagRange]
    try vault.raw().editHead { $0.record.replaceSubrange(RawHead.adminTagRange, with: foreign) }
    #expect(try vault.unlockingCode() == .tampered)
  }

  @Test("H-6: a slot that was taken out is missed by who opens another")
  func removedSlot() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    var codes: [VaultError.Code?] = []
    for index in head.slots.indices {
      try raw.put(head)
      try raw.editHead {
        $0.slots.remove(at: index)
        $0.fixCounts()
      }
      codes += try [vault.credential, other].map { try vault.unlockingCode($0) }
    }
    // Each slot in turn: its own credential opens nothing, the other's finds the tampering.
    #expect(codes.filter { $0 == .credentialRejected }.count == 2)
    #expect(codes.filter { $0 == .tampered }.count == 2)
  }

  @Test("H-7: a slot copied from another vault is tampering, and does not open")
  func foreignSlot() throws {
    let twin = try TemporaryVault()
    try twin.createClosed()
    let foreign = try twin.raw().head().slots[0]
    try vault.raw().editHead {
      $0.slots.append(foreign)
      $0.fixCounts()
    }
    #expect(try vault.unlockingCode() == .tampered)
    #expect(try vault.unlockingCode(twin.credential) == .credentialRejected)
  }

  @Test("H-8, H-9: an old slot put back is tampering for the new passphrase and for the old")
  func replayedSlot() throws {
    let item = ItemIdentity(service: "example.com")
    let store = try vault.openUnlocked()
    try store.set(SecretBytes("token"), for: item)
    let administration = try store.administration(with: vault.credential)
    try administration.addSlot(.passphrase("old"))
    let old = Credential.passphrase(try SecretBytes("old"))
    let new = Credential.passphrase(try SecretBytes("new"))
    let raw = try vault.raw()
    let before = try raw.head()
    _ = try store.administration(with: old).changePassphrase(to: SecretBytes("new"), log2N: 15)
    store.close()
    let replayed = before.slots[try before.slotIndex(factors: .passphrase)]
    try raw.editHead {
      $0.slots.append(replayed)
      $0.fixCounts()
    }
    let attacked = try vault.open()
    #expect(throws: VaultError(.tampered)) { try attacked.unlock(with: new) }
    #expect(throws: VaultError(.tampered)) { try attacked.unlock(with: old) }
    #expect(throws: VaultError(.locked)) { try attacked.secret(for: item) }
    #expect(attacked.openedGroups.isEmpty)
  }
}
