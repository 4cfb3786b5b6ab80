import SecretVault
import TestSupport
import Testing
import VaultFormat

/// What somebody can try who had a way into the vault before a rotation.
@Suite("Attacks after a rotation")
struct RotationAttackTests {
  private let rotated: RotatedVault
  private var vault: TemporaryVault { rotated.vault }

  init() throws {
    rotated = try RotatedVault()
  }

  /// The tables as they are.
  private func tables() throws -> [String: [[RawVault.Value]]] {
    let raw = try vault.raw()
    var tables: [String: [[RawVault.Value]]] = [:]
    for name in ["slot", "grp", "page", "claim", "box"] { tables[name] = try raw.rows(of: name) }
    return tables
  }

  private func putBack(_ tables: [String: [[RawVault.Value]]]) throws {
    let raw = try vault.raw()
    for (name, rows) in tables { try raw.replace(name, with: rows) }
    try raw.editHead { $0.fixCounts() }
  }

  @Test("H-9: a former slot in a rotated vault opens the former root key, which is tampering")
  func formerSlot() throws {
    let former = try vault.raw().head().slots
    try rotated.rotate()
    try vault.raw().editHead { head in
      let passphrase = former[former.firstIndex { $0.record[1] == 1 } ?? 0]
      head.slots.append(passphrase)
      head.fixCounts()
    }
    #expect(try vault.unlockingCode(rotated.passphrase) == .tampered)
    #expect(try vault.unlockingCode() == .tampered)
  }

  @Test("H-9: a former slot in the place of the one that was sealed anew is tampering")
  func formerSlotInPlace() throws {
    let former = try vault.raw().head().slots
    try rotated.rotate()
    try vault.raw().editHead { head in
      for index in head.slots.indices {
        head.slots[index] = former.first { $0.id == head.slots[index].id } ?? head.slots[index]
      }
    }
    #expect(try vault.unlockingCode() == .tampered)
  }

  @Test("H-9: all former slots and group records with the new head are tampering")
  func formerHead() throws {
    let former = try tables()
    try rotated.rotate()
    try putBack(former)
    #expect(try vault.unlockingCode() == .tampered)
    #expect(try vault.unlockingCode(rotated.passphrase) == .tampered)
  }

  @Test(
    """
    M-2b, M-7: a former group with slot and rows is tampering for who opens the vault and rolled back for a member, \
    however high its counter
    """,
    arguments: [false, true]
  )
  func formerGroup(withHugeCounter: Bool) throws {
    let former = try tables()
    var rotation = Rotation(ofGroup: "work")
    rotation.keptCredentials = [rotated.workKey]
    try rotated.rotate(rotation)
    #expect(try vault.unlockingCode(rotated.workKey) == nil)
    try putBack(former)
    if withHugeCounter {
      let raw = try vault.raw()
      try raw.execute("UPDATE grp SET counter = 1099511627776")
      let insider = try Insider(raw, keyFile: vault.keyFile)
      for number in 0..<2 { try GroupInsider(raw, insider, group: number).sign() }
    }
    #expect(try vault.unlockingCode() == .tampered)
    #expect(try vault.unlockingCode(rotated.workKey) == .rolledBack)
    // Who never saw the group before takes it for what it is.
    #expect(try vault.unlockingCode(rotated.workKey, state: vault.folder + "/new") == nil)
  }

  @Test("M-7: a former group record alone opens for nobody")
  func formerRecord() throws {
    let raw = try vault.raw()
    let former = try raw.execute("SELECT id, record FROM grp")
    var rotation = Rotation(ofGroup: "work")
    rotation.keptCredentials = [rotated.workKey]
    try rotated.rotate(rotation)
    for row in former {
      try raw.execute("UPDATE grp SET record = ? WHERE id = ?", [row[1], row[0]])
    }
    try raw.editHead { _ in }
    #expect(try vault.unlockingCode() == .tampered)
    #expect(try vault.unlockingCode(rotated.workKey) == .tampered)
  }

  @Test("rows of before the rotation are tampering, one by one")
  func formerRows() throws {
    let raw = try vault.raw()
    let group = try GroupInsider(raw, Insider(raw, keyFile: vault.keyFile)).groupID
    let former = try raw.items(of: group)
    try rotated.rotate()
    let current = try raw.items(of: group)
    let old = try #require(former.first { $0.claim[..<16] == current[0].claim[..<16] })
    try raw.putBox(old)
    #expect(try !rotated.isSound())
    try raw.putBox(current[0])
    #expect(try rotated.isSound())
    try raw.putClaim(old, in: group)
    #expect(try !rotated.isSound())
  }

  @Test("a damaged item refuses the rotation, which changes nothing")
  func damagedItem() throws {
    let raw = try vault.raw()
    try raw.execute("UPDATE box SET secret = zeroblob(length(secret)) WHERE id = 1")
    let before = try tables()
    #expect(throws: VaultError(.tampered)) { try rotated.rotate() }
    #expect(try tables() == before)
  }

  @Test("two claims of one box refuse the rotation")
  func sharedBox() throws {
    let raw = try vault.raw()
    let insider = try Insider(raw, keyFile: vault.keyFile)
    for number in 0..<2 {
      let group = try GroupInsider(raw, insider, group: number)
      let items = try raw.items(of: group.groupID)
      guard items.count > 1 else { continue }
      var second = items[1]
      second.box = items[0].box
      try raw.putClaim(second, in: group.groupID)
      try group.sign()
    }
    #expect(throws: VaultError(.tampered)) { try rotated.rotate() }
  }

  @Test("an administration that removed its own slot tells tampering from a rotation")
  func ownSlotRemoved() throws {
    let store = try vault.open()
    let administration = try store.administration(with: rotated.passphrase)
    let own = try #require(try administration.slots().first { $0.label == "laptop" })
    try administration.removeSlot(own.id)
    #expect(try administration.slots().count == 2)
    try vault.raw().editHead { $0.slots[0].label[0] ^= 1 }
    #expect(throws: VaultError(.tampered)) { try administration.slots() }
  }
}
