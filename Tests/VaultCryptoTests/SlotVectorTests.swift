import TestSupport
import Testing
import VaultCrypto

@Suite("Vectors of the vault format: slots, group record, labels, head")
struct SlotVectorTests {
  @Test("K2: a slot with a passphrase")
  func passphraseSlot() throws {
    #expect(try slot(.passphrase) == SlotVector.passphrase.record)
  }

  @Test("K3: a slot of one group with a key file")
  func groupSlot() throws {
    #expect(try slot(.keyFile) == SlotVector.keyFile.record)
  }

  @Test("K4: a slot with all three factors")
  func threeFactorSlot() throws {
    #expect(try slot(.threeFactors) == SlotVector.threeFactors.record)
  }

  @Test("K5: the record of a group")
  func groupRecord() throws {
    let salt = [UInt8](repeating: 0x67, count: 24)
    let header = FormatInputs.groupID + FormatInputs.bigEndian(UInt64(1))
    let box = try SealedBox.seal(
      FormatInputs.groupKey.span,
      with: FormatInputs.root().wrapKey().sealingContext(),
      salt: salt.span,
      context: (Label.group.tag + FormatInputs.vaultID + header).span,
      using: GCM()
    )
    #expect(header + salt + box == SlotVector.groupRecord)
  }

  @Test("K6: the label of a slot")
  func label() throws {
    let expected = [UInt8](
      hex: """
        6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6c6cff0d51bbad2489d3852c96f9448de17d
        c73864252c2f69c23ea1ac123de5be9ac9fab5c52dac50fc078567b398ce4ba0a5fa138ffafe35bb
        08e53ca84aa9eb1fe61d3c0b0d00941304856ae1551741940fc901fa5a7dd9a9cb270af2215fffa0
        4dd106cf8f3496d8d69d5d99f1959c22
        """
    )
    #expect(try sealedLabel("laptop", slot: 1) == expected)
  }

  @Test("K6: the head with its checksum and its tag over all slots, labels and groups")
  func head() throws {
    let start =
      Array("VLT1".utf8) + [0, 1, 0, 1] + FormatInputs.vaultID
      + FormatInputs.bigEndian(UInt64(1)) + FormatInputs.bigEndian(UInt64(3))
      + FormatInputs.bigEndian(UInt32(3)) + FormatInputs.bigEndian(UInt32(1))
    var body = start + FormatInputs.lengthPrefixed([])
    for (number, slot, text) in [
      (UInt8(1), SlotVector.passphrase, "laptop"), (2, .keyFile, "ci"), (3, .threeFactors, ""),
    ] {
      body += slot.record + FormatInputs.lengthPrefixed(try sealedLabel(text, slot: number))
    }
    body += SlotVector.groupRecord
    let checksum: InlineArray<16, UInt8> = try SHA512.check(.checksum, body.span)
    let expander = try FormatInputs.root().adminKey().expander()
    let tag = try expander.expand(.adminTag) { hmac throws(CryptoError) in
      try hmac.update(body.span)
    }
    let expected = [UInt8](
      hex: """
        564c543100010001101112131415161718191a1b1c1d1e1f00000000000000010000000000000003
        0000000300000001cde87fb7dcee4c1b8a9519020309e1a014fbf87cdbe10a5f3c3f427b4cd3cba6
        738357685e71191f6568d55ea23e597c
        """
    )
    #expect(start + [UInt8](checksum) + [UInt8](tag) == expected)
  }

  @Test("every slot opens to its key, and with one factor less it does not")
  func opening() throws {
    for vector in [SlotVector.passphrase, .keyFile, .threeFactors] {
      #expect(try open(vector, vector.factors) == vector.payload)
    }
    for factors in 1..<7 as Range<UInt8> {
      #expect(throws: CryptoError.commitmentMismatch) { try open(.threeFactors, factors) }
    }
  }

  private func slot(_ vector: SlotVector) throws -> [UInt8] {
    let box = try SealedBox.seal(
      vector.payload.span,
      with: vector.key(vector.factors).sealingContext(),
      salt: vector.salt.span,
      context: vector.context.span,
      using: GCM()
    )
    return vector.header + box
  }

  private func open(_ vector: SlotVector, _ factors: UInt8) throws -> [UInt8] {
    let box = vector.record[64...]
    let key = try vector.key(factors)
    var payload = [UInt8](repeating: 0, count: 32)
    var output = payload.mutableSpan
    let count = try SealedBox.open(
      Array(box).span,
      with: key.sealingContext(),
      salt: vector.salt.span,
      context: vector.context.span,
      using: GCM(),
      into: &output
    )
    #expect(count == 32)
    return payload
  }

  private func sealedLabel(_ text: String, slot: UInt8) throws -> [UInt8] {
    let salt = [UInt8](repeating: 0x6c, count: 24)
    let slotID = [UInt8](repeating: slot, count: 16)
    let box = try SealedBox.seal(
      FormatInputs.padded(Array(text.utf8)).span,
      with: FormatInputs.root().slotLabelKey().sealingContext(),
      salt: salt.span,
      context: (Label.labelOfSlot.tag + FormatInputs.vaultID + slotID).span,
      using: GCM()
    )
    return salt + box
  }
}
