import SecretVault
import Testing
import VaultCrypto
import VaultFormat

/// Which factors open a slot, and that each of them counts.
@Suite("The factors of a slot")
struct FactorTests {
  private let vault: TemporaryVault
  private let passphrase: SecretBytes
  private let secondKeyFile: SecretBytes

  private var combination: Credential {
    .passphrase(passphrase, keyFileContents: secondKeyFile)
  }

  init() throws {
    vault = try TemporaryVault()
    passphrase = try SecretBytes("correct horse")
    secondKeyFile = try Credential.makeKeyFile()
    var slot = SecretStore.NewSlot(.passphrase(passphrase, keyFileContents: secondKeyFile))
    slot.log2N = 15
    try vault.createClosed(alsoProtectedBy: [slot])
  }

  private func error(_ credential: Credential, state: String? = nil) throws -> VaultError? {
    var options = vault.options
    if let state { options.stateDirectory = state }
    let store = try SecretStore.open(at: vault.path, options: options)
    defer { store.close() }
    return #expect(throws: VaultError.self) { try store.unlock(with: credential) }
  }

  @Test("S-10: every wrong credential is rejected in the same words")
  func wrongCredentials() throws {
    let store = try vault.openUnlocked()
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes("on this device")).boundToDevice)
    slot.log2N = 15
    try store.administration(with: vault.credential).addSlot(slot)
    store.close()
    let wrongPassphrase = try SecretBytes("wrong horse")
    let wrongKeyFile = try Credential.makeKeyFile()
    let errors = [
      try error(.passphrase(wrongPassphrase)),
      try error(.keyFile(contents: wrongKeyFile)),
      // A missing factor, on either side.
      try error(.passphrase(passphrase)),
      try error(.keyFile(contents: secondKeyFile)),
      try error(.passphrase(passphrase, keyFileContents: wrongKeyFile)),
      try error(.passphrase(wrongPassphrase, keyFileContents: secondKeyFile)),
      // The right passphrase beside the device key of another machine.
      try error(
        .passphrase(SecretBytes("on this device")),
        state: vault.folder + "/other-machine"
      ),
    ]
    #expect(errors.allSatisfy { $0?.code == .credentialRejected })
    #expect(Set(errors.map { $0?.description }).count == 1)
    #expect(try vault.unlockingCode(.passphrase(SecretBytes("on this device"))) == nil)
    #expect(try vault.unlockingCode(combination) == nil)
  }

  @Test("S-15: a slot with one factor fewer or more in its record opens with none of them")
  func editedFactors() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    let index = try head.slotIndex(factors: [.passphrase, .keyFile])
    func edit(_ factors: Factors, kdf: UInt8, log2N: UInt8) throws {
      try raw.put(head)
      try raw.editHead {
        $0.slots[index].record.replaceSubrange(1..<4, with: [factors.rawValue, kdf, log2N])
      }
    }
    try edit(.keyFile, kdf: 1, log2N: 15)
    #expect(vault.openingCode() == .corruptHeader)
    try edit(.keyFile, kdf: 0, log2N: 0)
    #expect(try vault.unlockingCode(.keyFile(contents: secondKeyFile)) == .credentialRejected)
    #expect(try vault.unlockingCode(combination) == .credentialRejected)
    try edit(.passphrase, kdf: 1, log2N: 15)
    #expect(try vault.unlockingCode(.passphrase(passphrase)) == .credentialRejected)
    try edit([.passphrase, .keyFile, .device], kdf: 1, log2N: 15)
    #expect(try vault.unlockingCode(combination) == .credentialRejected)
  }

  @Test("S-15: factors joined in another order are another key", arguments: [true, false])
  func factorOrder(isPassphraseFirst: Bool) throws {
    let raw = try vault.raw()
    let insider = try Insider(raw, keyFile: vault.keyFile)
    var head = try raw.head()
    let index = try head.slotIndex(factors: [.passphrase, .keyFile])
    let header = Array(head.slots[index].record[..<64])
    let stretched = try passphrase.withBytes { bytes throws(CryptoError) in
      try Stretch.passphrase(bytes, salt: header.span.extracting(40..<64), log2N: 15)
        .withBytes { key in key.indices.map { key[$0] } }
    }
    let file = try Insider.fileKey(secondKeyFile).withBytes { bytes in
      bytes.indices.map { bytes[$0] }
    }
    let key = try Insider.slotKey(
      joining: isPassphraseFirst ? [stretched, file] : [file, stretched],
      salt: Array(header[40..<64])
    )
    head.slots[index].record = try insider.sealedSlot(header, with: key)
    try insider.sign(&head)
    try raw.put(head)
    let expected: VaultError.Code? = isPassphraseFirst ? nil : .credentialRejected
    let state = vault.folder + "/stranger"
    #expect(try vault.unlockingCode(combination, state: state) == expected)
  }
}
