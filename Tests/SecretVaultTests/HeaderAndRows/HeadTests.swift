import SecretVault
import Testing

/// Edits of the head record; a stranger can recompute its checksum, and nobody without the root key its tag.
@Suite("The head under attack")
struct HeadTests {
  private let vault: TemporaryVault

  init() throws {
    vault = try TemporaryVault()
    try vault.createClosed()
  }

  /// What a flip in the part before the admin tag is taken for, by the field it hits.
  private func structureCode(ofByte index: Int) -> VaultError.Code {
    switch index {
    case 0..<4: .notAVault
    case 4..<8: .unsupportedVersion
    default: .corruptHeader
    }
  }

  @Test("H-1: a flipped bit of the head before its admin tag is refused without a credential")
  func flippedHead() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    for bit in 0..<(64 * 8) {
      var edited = head
      edited.record[bit / 8] ^= 1 << UInt8(bit % 8)
      try raw.put(edited)
      #expect(vault.openingCode() == structureCode(ofByte: bit / 8), "bit \(bit)")
    }
    try raw.put(head)
    #expect(try vault.unlockingCode() == nil)
  }

  @Test("H-1: a flipped bit of the admin tag is tampering, known with the right credential")
  func flippedAdminTag() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    for bit in (64 * 8)..<(96 * 8) {
      var edited = head
      edited.record[bit / 8] ^= 1 << UInt8(bit % 8)
      try raw.put(edited)
      #expect(try vault.unlockingCode() == .tampered, "bit \(bit)")
    }
  }

  @Test("H-2: another vault id with a fitting checksum opens no slot")
  func editedVaultID() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    for bit in (8 * 8)..<(24 * 8) {
      var edited = head
      edited.record[bit / 8] ^= 1 << UInt8(bit % 8)
      try edited.fixChecksum()
      try raw.put(edited)
      // On a machine that has never seen the path; where it was seen, the vault counts as replaced.
      let code = try vault.unlockingCode(state: vault.folder + "/stranger")
      #expect(code == .credentialRejected, "bit \(bit)")
    }
    #expect(try vault.unlockingCode() == .vaultReplaced)
  }

  @Test(
    "H-2: another epoch with a fitting checksum opens with no slot, another counter is tampering, or it is out of range"
  )
  func editedPosition() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    for bit in (24 * 8)..<(40 * 8) {
      var edited = head
      edited.record[bit / 8] ^= 1 << UInt8(bit % 8)
      try edited.fixChecksum()
      try raw.put(edited)
      let start = bit / 64 * 8
      let value = edited.record[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if (1...1 << 62).contains(value) {
        let expected: VaultError.Code = start == 24 ? .credentialRejected : .tampered
        #expect(try vault.unlockingCode() == expected, "bit \(bit)")
      } else {
        #expect(vault.openingCode() == .corruptHeader, "bit \(bit)")
      }
    }
  }

  @Test("H-2: another count with a fitting checksum is a damaged head")
  func editedCounts() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    for bit in (40 * 8)..<(48 * 8) {
      var edited = head
      edited.record[bit / 8] ^= 1 << UInt8(bit % 8)
      try edited.fixChecksum()
      try raw.put(edited)
      #expect(vault.openingCode() == .corruptHeader, "bit \(bit)")
    }
  }

  @Test("H-2: who holds one group's key only notices another vault id, and no other admin counter")
  func editedHeadBehindGroup() throws {
    let groupKey = Credential.keyFile(contents: try Credential.makeKeyFile())
    let store = try vault.openUnlocked()
    var slot = SecretStore.NewSlot(groupKey)
    slot.group = "default"
    try store.administration(with: vault.credential).addSlot(slot)
    store.close()
    let raw = try vault.raw()
    try raw.editHead { $0.record[39] ^= 1 }
    #expect(try vault.unlockingCode(groupKey) == nil)
    #expect(try vault.unlockingCode() == .tampered)
    try raw.editHead { $0.record[8] ^= 1 }
    let code = try vault.unlockingCode(groupKey, state: vault.folder + "/stranger")
    #expect(code == .credentialRejected)
  }

  @Test(
    "H-3: another magic, format or suite is refused without a credential",
    arguments: [(0, VaultError.Code.notAVault), (5, .unsupportedVersion), (7, .unsupportedVersion)]
  )
  func otherFormat(byte: Int, code: VaultError.Code) throws {
    try vault.raw().editHead { $0.record[byte] += 1 }
    #expect(vault.openingCode() == code)
  }

  @Test("H-4: counts that disagree with the rows are a damaged head", arguments: [-1, 1])
  func disagreeingCounts(difference: Int) throws {
    let raw = try vault.raw()
    let head = try raw.head()
    try raw.editHead {
      $0.setCount($0.slots.count + difference, at: RawHead.slotCountRange)
    }
    #expect(vault.openingCode() == .corruptHeader)
    try raw.put(head)
    try raw.editHead {
      $0.setCount($0.groups.count + difference, at: RawHead.groupCountRange)
    }
    #expect(vault.openingCode() == .corruptHeader)
  }

  @Test("H-4: a slot more or less than the head says is a damaged head")
  func disagreeingRows() throws {
    let raw = try vault.raw()
    let head = try raw.head()
    try raw.editHead { head in
      var copy = head.slots[0]
      copy.record[8] ^= 1
      head.slots.append(copy)
    }
    #expect(vault.openingCode() == .corruptHeader)
    try raw.put(head)
    try raw.editHead { $0.slots = [] }
    #expect(vault.openingCode() == .corruptHeader)
  }
}
