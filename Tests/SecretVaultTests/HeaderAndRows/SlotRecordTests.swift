import SecretVault
import Testing
import VaultCrypto
import VaultFormat

/// Edits inside of one slot record, with the checksum recomputed.
@Suite("A slot record under attack")
struct SlotRecordTests {
  private let vault: TemporaryVault

  init() throws {
    vault = try TemporaryVault()
    try vault.createClosed()
  }

  /// Flips one bit of the only slot and says what happens to its credential.
  private func code(
    flipping bit: Int,
    of head: RawHead,
    in raw: RawVault
  ) throws
    -> VaultError.Code?
  {
    try raw.put(head)
    try raw.editHead { $0.slots[0].record[bit / 8] ^= 1 << UInt8(bit % 8) }
    if let code = vault.openingCode() { return code }
    return try vault.unlockingCode()
  }

  @Test("S-1: a flipped bit in front of the commitment does not parse or is another slot's context")
  func flippedHeader() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    for bit in 0..<(64 * 8) {
      let expected: VaultError.Code =
        switch bit {
        case 0..<8: .unsupportedVersion
        // A key file slot that asks for the device key too is well formed, and another slot.
        case 8 + 2: .credentialRejected
        case 8..<64: .corruptHeader
        default: .credentialRejected
        }
      #expect(try code(flipping: bit, of: head, in: raw) == expected, "bit \(bit)")
    }
    try raw.put(head)
    #expect(try vault.unlockingCode() == nil)
  }

  @Test("S-1: a record under another key of its row is a damaged head")
  func mismatchedRow() throws {
    let raw = try vault.raw()
    try raw.execute("UPDATE slot SET slot_id = zeroblob(16)")
    #expect(vault.openingCode() == .corruptHeader)
  }

  @Test("S-1: an edited label with a fitting checksum is tampering")
  func editedLabel() throws {
    try vault.raw().editHead { $0.slots[0].label[30] ^= 1 }
    #expect(try vault.unlockingCode() == .tampered)
  }

  @Test("S-2: a flipped bit of the commitment opens nothing")
  func flippedCommitment() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    for bit in (64 * 8)..<(96 * 8) {
      #expect(try code(flipping: bit, of: head, in: raw) == .credentialRejected, "bit \(bit)")
    }
  }

  @Test("S-3: a flipped bit of the ciphertext or its tag is tampering")
  func flippedCiphertext() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    for bit in (96 * 8)..<(144 * 8) {
      #expect(try code(flipping: bit, of: head, in: raw) == .tampered, "bit \(bit)")
    }
  }

  @Test("S-9: a blob that GCM opens under three keys opens no slot with any of them")
  func multiKeyBlob() throws {
    let blob = MultiKeyBlob.bytes
    let header = try Array(vault.raw().head().slots[0].record[..<64])
    let salt = header.span.extracting(40..<64)
    let cipher = try GCM()
    let zeros = [UInt8](repeating: 0, count: 64)
    for text in MultiKeyBlob.passphrases {
      let hash = try SHA256.hash(Array(text.utf8).span)
      let key = hash.indices.map { hash[$0] }
      var plaintext = [UInt8](repeating: 0, count: 32)
      var output = plaintext.mutableSpan
      let nonce = zeros.span.extracting(0..<12)
      // The attack is real: plain GCM takes it, whichever of the keys is tried.
      try cipher.open(
        blob.span,
        key: key.span,
        nonce: nonce,
        associatedData: Span(),
        into: &output,
        at: 0
      )
      // Even with the commitment that belongs to the key, the slot does not open.
      let context = Label.slot.tag + zeros
      let own = try SealedBox.seal(
        zeros.span,
        with: HMAC(key: key.span),
        salt: salt,
        context: context.span,
        using: cipher
      )
      let forged = own[..<32] + blob
      #expect(throws: CryptoError.authenticationFailed) {
        var output = plaintext.mutableSpan
        _ = try SealedBox.open(
          Array(forged).span,
          with: HMAC(key: key.span),
          salt: header.span.extracting(40..<64),
          context: context.span,
          using: cipher,
          into: &output
        )
      }
    }
  }

  @Test("S-9: the blob in a passphrase slot opens with none of its three passphrases")
  func multiKeyBlobInSlot() throws {
    let store = try vault.openUnlocked()
    try store.administration(with: vault.credential).addSlot(.passphrase("another"))
    store.close()
    try vault.raw().editHead { head in
      let index = try head.slotIndex(factors: .passphrase)
      head.slots[index].record.replaceSubrange(96..<144, with: MultiKeyBlob.bytes)
    }
    for text in MultiKeyBlob.passphrases {
      let code = try vault.unlockingCode(.passphrase(SecretBytes(text)))
      #expect(code == .credentialRejected)
    }
  }
}

/// A ciphertext with its tag that AES-256-GCM accepts under three keys, with a nonce of zeros.
private enum MultiKeyBlob {
  /// The keys are the SHA-256 hashes of these.
  static let passphrases = ["123456", "password", "letmein"]

  static let bytes: [UInt8] = [
    0x44, 0x81, 0xf1, 0x68, 0x27, 0x50, 0x6f, 0xd0, 0xb6, 0x4d, 0x1f, 0x73,
    0x02, 0x47, 0xde, 0xf4, 0x9f, 0x16, 0x79, 0x82, 0x4e, 0xba, 0x85, 0x20,
    0xc7, 0x5f, 0xda, 0xec, 0xab, 0xf8, 0xf7, 0xdf, 0x08, 0x4e, 0xfd, 0x9f,
    0x2b, 0xc6, 0x8d, 0xb1, 0x1c, 0x0c, 0x1d, 0x30, 0xe7, 0x7d, 0x18, 0xe0,
  ]
}
