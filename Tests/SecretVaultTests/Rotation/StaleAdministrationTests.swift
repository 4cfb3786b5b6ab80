import Dispatch
import Glibc
import SecretVault
import TestSupport
import Testing

/// An administration that was opened before others changed the keys.
@Suite("Administrations beside rotations of others")
struct StaleAdministrationTests {
  private let rotated: RotatedVault
  private var vault: TemporaryVault { rotated.vault }
  private static let tables = ["grp", "page", "claim", "box"]

  init() throws {
    rotated = try RotatedVault()
  }

  private func tables() throws -> [String: [[RawVault.Value]]] {
    let raw = try vault.raw()
    return try Dictionary(uniqueKeysWithValues: Self.tables.map { ($0, try raw.rows(of: $0)) })
  }

  @Test(
    "a group that another gave a new key and somebody rolled back since is noticed, and not sealed anew",
    arguments: [nil, "work"]
  )
  func rolledBack(group: String?) throws {
    let administration = try vault.open().administration(with: vault.credential)
    var rotation = Rotation(ofGroup: "work")
    rotation.keptCredentials = [rotated.workKey]
    try rotated.rotate(rotation)
    let older = try tables()
    let writer = try vault.openUnlocked()
    try writer.set(SecretBytes("newer"), for: rotated.work)
    try writer.closeDrained()
    for (name, rows) in older { try vault.raw().replace(name, with: rows) }
    let passphrase = try #require(try administration.slots().first { $0.needsPassphrase })
    #expect(throws: VaultError(.rolledBack)) { try administration.removeSlot(passphrase.id) }
    #expect(throws: VaultError(.rolledBack)) { try administration.rotate(Rotation(ofGroup: group)) }
    #expect(try vault.unlockingCode() == .rolledBack)
  }

  @Test("it gives new keys to what another has given new keys before")
  func afterAnother() throws {
    let before = try rotated.contents()
    let administration = try vault.open().administration(with: vault.credential)
    var rotation = Rotation(ofGroup: "work")
    rotation.keptCredentials = [rotated.workKey]
    try rotated.rotate(rotation)
    #expect(try administration.groups().map(\.itemCount).reduce(0, +) == before.count)
    var whole = Rotation()
    whole.keptCredentials = [rotated.passphrase, rotated.workKey]
    whole.log2N = 15
    #expect(try administration.rotate(whole).droppedSlots.isEmpty)
    #expect(try rotated.contents() == before)
    #expect(try rotated.contents(with: rotated.workKey).count == 1)
    #expect(try rotated.isSound())
  }
}
