import Foundation
import SecretVault
import TestSupport
import Testing
import VaultDatabase
import VaultFormat

/// Rows that a rotation cannot understand, or cannot open.
@Suite("What a rotation carries over")
struct RotationContentTests {
  private let rotated: RotatedVault
  private var vault: TemporaryVault { rotated.vault }

  init() throws {
    rotated = try RotatedVault()
  }

  private func defaultGroup(_ raw: RawVault) throws -> GroupInsider {
    let insider = try Insider(raw, keyFile: vault.keyFile)
    let groups = try (0..<2).map { try GroupInsider(raw, insider, group: $0) }
    return (try? groups[0].item(.of(.whenUnlocked))) != nil ? groups[0] : groups[1]
  }

  /// Edits the item of the class whenUnlocked as another writer of the group could, and returns its id.
  private func edit(
    _ change: (inout RawItem, inout [UInt8]) throws -> Void
  ) throws -> [UInt8] {
    let raw = try vault.raw()
    let group = try defaultGroup(raw)
    let old = try group.item(.of(.whenUnlocked))
    var attributes = try group.open(.attributes, of: old)
    attributes = Array(attributes[4...].prefix(Int(attributes[3]) | Int(attributes[2]) << 8))
    let secret = try group.open(.secret, of: old)
    var new = old
    try change(&new, &attributes)
    new.attributes = try group.seal(GroupInsider.padded(attributes), as: .attributes, of: new)
    new.secret = try group.seal(secret, as: .secret, of: new)
    try raw.deleteClaim(old)
    try raw.putClaim(new, in: group.groupID)
    try raw.putBox(new)
    try group.sign()
    return Array(new.claim[..<16])
  }

  /// The item of an id, opened with the keys of now.
  private func opened(_ id: [UInt8]) throws -> (item: RawItem, attributes: [UInt8], secret: [UInt8])
  {
    let raw = try vault.raw()
    let group = try defaultGroup(raw)
    let item = try #require(try raw.items(of: group.groupID).first { $0.claim[..<16] == id[...] })
    return (item, try group.open(.attributes, of: item), try group.open(.secret, of: item))
  }

  @Test("an item of a newer version is sealed anew as it is")
  func newerItem() throws {
    let id = try edit { _, attributes in attributes += [200, 0, 0, 0, 1, 7] }
    let before = try opened(id)
    try rotated.rotate()
    let after = try opened(id)
    #expect(after.attributes == before.attributes && after.secret == before.secret)
    #expect(after.item.rev != before.item.rev && after.item.lookup != before.item.lookup)
    #expect(throws: VaultError(.unsupportedVersion)) {
      try vault.openUnlocked().item(for: .of(.whenUnlocked))
    }
    #expect(try rotated.isSound())
  }

  @Test("an item of a kind that is not known is sealed anew as it is")
  func unknownKind() throws {
    let id = try edit { item, _ in item.claim[Claim.kindOffset] = 3 }
    // Its own group can be found by another item only.
    let raw = try vault.raw()
    let before = try #require(
      try raw.groupIDs().flatMap { try raw.items(of: $0) }.first { $0.claim[..<16] == id[...] }
    )
    try rotated.rotate()
    let after = try #require(
      try raw.groupIDs().flatMap { try raw.items(of: $0) }.first { $0.claim[..<16] == id[...] }
    )
    #expect(after.claim[..<43] == before.claim[..<43])
    #expect(after.lookup != before.lookup && after.rev != before.rev)
    let report = try vault.open().administration(with: vault.credential).check()
    #expect(report.unopenedCount == 1)
  }

  @Test("attributes that belong to another lookup refuse the rotation")
  func wrongLookup() throws {
    _ = try edit { item, _ in item.claim[Claim.lookupRange.upperBound - 1] ^= 1 }
    #expect(throws: VaultError(.tampered)) { try rotated.rotate() }
  }

  /// Stores an item that only another machine's device key opens.
  private func storeElsewhere() throws {
    let elsewhere = try vault.openUnlocked(onMachine: "other")
    try elsewhere.set(
      SecretBytes("x"),
      for: ItemIdentity(service: "elsewhere"),
      accessibility: .whenUnlockedThisDeviceOnly
    )
    try elsewhere.closeDrained()
  }

  @Test("items of another device refuse the rotation, and are counted when they may go")
  func otherDevice() throws {
    try storeElsewhere()
    let before = try vault.raw().head()
    let error = #expect(throws: VaultError(.notOnThisDevice)) { try rotated.rotate() }
    #expect(error?.message.hasPrefix("1 items") == true)
    #expect(try vault.raw().head() == before)
    // They are in the other group, which can have a new key.
    try rotated.rotate(Rotation(ofGroup: "work"))
    var rotation = Rotation()
    rotation.removesItemsOfOtherDevices = true
    let report = try rotated.rotate(rotation)
    #expect(report.itemsRemovedOfOtherDevices == 1)
    #expect(try vault.openUnlocked().items().otherDeviceCount == 0)
    #expect(try rotated.isSound())
  }

  @Test("items that need a passphrase go with the last one, those of other devices too")
  func otherDeviceWithPassphrase() throws {
    let elsewhere = try vault.openUnlocked(onMachine: "other")
    try elsewhere.set(
      SecretBytes("x"),
      for: ItemIdentity(service: "elsewhere"),
      accessibility: .whenPasscodeSetThisDeviceOnly
    )
    try elsewhere.closeDrained()
    #expect(try rotated.rotate().itemsRemovedWithPassphrase == 2)
  }

  @Test("large secrets are carried over, a mebibyte and more than one batch")
  func largeSecrets() throws {
    let store = try vault.openUnlocked()
    let secret = try SecretBytes(
      copying: (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 % 251) }
    )
    for number in 0..<3 { try store.set(secret, for: ItemIdentity(service: "large-\(number)")) }
    try store.closeDrained()
    try rotated.rotate()
    let again = try vault.openUnlocked()
    for number in 0..<3 {
      let found = try again.secret(for: ItemIdentity(service: "large-\(number)"))
      #expect(found?.constantTimeEquals(secret) == true)
    }
  }

  @Test("P-2: after the drain no former ciphertext is in the vault's files")
  func residue() throws {
    let raw = try vault.raw()
    let former = try raw.groupIDs().flatMap { try raw.items(of: $0) }
      .flatMap { [Data($0.secret.prefix(32)), Data($0.attributes.prefix(32)), Data($0.rev)] }
    #expect(try vault.count(of: former) == former.count)
    let store = try vault.open()
    let administration = try store.administration(with: vault.credential)
    try administration.rotate()
    #expect(
      try vault.count(of: former) == former.count,
      "the file is as it was, and the log has the new"
    )
    #expect(try administration.emptyLog())
    #expect(try vault.count(of: former) == 0)
    store.close()
  }
}
