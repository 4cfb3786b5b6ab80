import SecretVault
import TestSupport
import Testing

/// A file that comes back from before a rotation.
@Suite("Accepting a file with older keys")
struct AcceptedRestoreTests {
  private let rotated: RotatedVault
  private var vault: TemporaryVault { rotated.vault }

  init() throws {
    rotated = try RotatedVault()
  }

  private func epochs() throws -> [String] {
    try RawDatabase(vault.path).rows(
      """
      SELECT hex(substr(record, 31, 2)) FROM head UNION ALL \
      SELECT * FROM (SELECT hex(substr(record, 23, 2)) FROM grp ORDER BY id)
      """
    )
  }

  @Test("a group with an older key than was seen gets a new one, above all that were seen")
  func olderGroup() throws {
    let before = try rotated.contents()
    let old = try vault.copy()
    for _ in 0..<2 {
      var rotation = Rotation(ofGroup: "work")
      rotation.keptCredentials = [rotated.workKey]
      try rotated.rotate(rotation)
    }
    #expect(try epochs() == ["0001", "0001", "0003"])
    try vault.put(old)
    #expect(try vault.unlockingCode() == .rolledBack)
    let store = try vault.open()
    let report = try #require(try store.acceptRestore(with: vault.credential))
    #expect(report.droppedSlots.map(\.label) == ["ci"])
    #expect(report.resealedItems == 1)
    try store.closeDrained()
    #expect(try epochs() == ["0001", "0001", "0004"])
    #expect(try rotated.contents() == before)
    #expect(try rotated.contents(with: rotated.passphrase) == before)
    #expect(try vault.unlockingCode(rotated.workKey) == .credentialRejected)
    #expect(try rotated.isSound())
  }

  @Test("a file with an older root key gets new keys throughout")
  func olderRoot() throws {
    let old = try vault.copy()
    try rotated.rotate()
    let newer = try vault.copy()
    try vault.put(old)
    let store = try vault.open()
    let report = try #require(try store.acceptRestore(with: vault.credential))
    #expect(report.droppedSlots.map(\.label).sorted() == ["ci", "laptop"])
    #expect(report.itemsRemovedWithPassphrase == 1)
    try store.closeDrained()
    #expect(try epochs() == ["0003", "0003", "0003"])
    #expect(try rotated.isSound())
    #expect(try vault.unlockingCode(rotated.passphrase) == .credentialRejected)
    // What was seen before is older now.
    try vault.put(newer)
    #expect(try vault.unlockingCode() == .rolledBack)
    try vault.put(old)
    #expect(try vault.unlockingCode() == .rolledBack)
  }

  @Test("a restore of a file whose keys are not older rotates nothing")
  func sameKeys() throws {
    let old = try vault.copy()
    let store = try vault.openUnlocked()
    try store.write(2, "later")
    try store.closeDrained()
    try vault.put(old)
    #expect(try vault.unlockingCode() == .rolledBack)
    #expect(try vault.open().acceptRestore(with: vault.credential) == nil)
    #expect(try epochs() == ["0001", "0001", "0001"])
    #expect(try vault.unlockingCode(rotated.workKey) == nil)
  }

  @Test("M-6: a credential of one group accepts that group, and no other")
  func groupAlone() throws {
    let old = try vault.copy()
    let member = try vault.open()
    try member.unlock(with: rotated.workKey)
    try member.set(SecretBytes("later"), for: rotated.work)
    try member.closeDrained()
    try vault.put(old)
    #expect(try vault.unlockingCode(rotated.workKey) == .rolledBack)
    let store = try vault.open()
    #expect(try store.acceptRestore(with: rotated.workKey) == nil)
    try store.unlock(with: rotated.workKey)
    #expect(try store.secret(for: rotated.work)?.text == "secret of work")
    store.close()
    // The head and the other group are as they were, so their anchors are silent.
    #expect(try vault.unlockingCode() == nil)
    #expect(try rotated.isSound())
  }

  @Test("a credential of one group does not accept an older key of it")
  func groupAloneOlder() throws {
    let old = try vault.copy()
    var rotation = Rotation(ofGroup: "work")
    rotation.keptCredentials = [rotated.workKey]
    try rotated.rotate(rotation)
    try vault.put(old)
    #expect(throws: VaultError(.notPermitted)) {
      try vault.open().acceptRestore(with: rotated.workKey)
    }
    #expect(try vault.unlockingCode(rotated.workKey) == .rolledBack)
  }

  @Test("items that need revalidation need it after new keys too")
  func revalidation() throws {
    let store = try vault.openUnlocked()
    let item = ItemIdentity(service: "checked")
    try store.set(SecretBytes("x"), for: item)
    try store.update(item) { item, _ in item.mustRevalidate = true }
    try store.closeDrained()
    let old = try vault.copy()
    try rotated.rotate()
    try vault.put(old)
    let restored = try vault.open()
    try restored.acceptRestore(with: vault.credential)
    try restored.unlock(with: vault.credential)
    #expect(throws: VaultError(.needsRevalidation)) { try restored.secret(for: item) }
  }
}
