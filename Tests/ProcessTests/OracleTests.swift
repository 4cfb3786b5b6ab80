import SecretVault
import TestSupport
import Testing
import VaultCrypto
import VaultDatabase
import VaultFormat

/// A wrong passphrase is refused in the same way, whatever an attacker did to the slot.
@Suite("What a wrong passphrase shows")
struct OracleTests {
  private let vault: ProcessVault
  private let wrong: String
  private let right: String

  init() throws {
    let slots = try ["the first passphrase", "the second passphrase"].map { text in
      var slot = SecretStore.NewSlot(.passphrase(try SecretBytes(text)))
      slot.log2N = 15
      return slot
    }
    vault = try ProcessVault(alsoProtectedBy: slots)
    wrong = try vault.folder.write("a wrong passphrase", to: "wrong")
    right = try vault.folder.write("the first passphrase", to: "right")
  }

  @Test(
    "O-1: message, derivations, comparisons and bytes are the same for a sound and a changed slot"
  )
  func changedSlots() throws {
    let sound = try unlock(with: wrong)
    #expect(sound.hasPrefix("credentialRejected: "))
    #expect(!sound.contains("derivations 0\n"))
    #expect(sound.contains("comparisons 2 of 64 bytes\n"))
    #expect(sound.hasSuffix("decryptions 0\n"))
    let commitment = SlotRecord.headerByteCount
    for offset in [commitment, commitment + 31, commitment + 32, commitment + 79] {
      try flip(offset)
      #expect(try unlock(with: wrong) == sound)
      try flip(offset)
    }
  }

  @Test("O-1: the counts tell a slot that opens from one that does not")
  func countsDiffer() throws {
    let opened = try unlock(with: right)
    #expect(opened.hasPrefix("unlocked\n"))
    #expect(!opened.contains("decryptions 0\n"))
    try flip(SlotRecord.headerByteCount + 32)
    #expect(try unlock(with: right).hasPrefix("tampered: "))
  }

  private func unlock(with file: String) throws -> String {
    try vault.worker("count-calls", file).runToSuccess().text
  }

  /// Changes one byte of every passphrase slot and makes the checksum fit, as an attacker would.
  private func flip(_ offset: Int) throws {
    let connection = try SQLiteDatabase(path: vault.path, busyTimeout: 1000).connect(.readWrite)
    defer { connection.close() }
    try connection.beginWrite()
    var row = try connection.head()
    var slots = try connection.slots()
    for index in slots.indices {
      let record = slots[index].record
      let slot = try SlotRecord(parsing: record.span)
      if slot.factors.contains(.passphrase) { slots[index].record[offset] ^= 1 }
      try connection.putSlot(slots[index])
    }
    var head = try HeadRecord(parsing: row.record.span)
    let body = HeadRecord.body(
      head: head,
      state: row.state,
      slots: slots.map { (record: $0.record, label: $0.label) },
      groups: try connection.groups().map(\.record)
    )
    head.checksum = Identifier(try SHA512.check(.checksum, body.span))
    row.record = head.bytes
    try connection.putHead(row)
    try connection.commit()
  }
}
