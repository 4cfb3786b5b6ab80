import Foundation
import SecretVault
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

@Suite("Manifest and head")
struct ManifestTests {
  private let vault: TemporaryVault

  /// A vault with three items, closed.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.write(3, "base")
    try store.closeDrained()
  }

  @Test(
    "M-7: a group record that the root key once wrapped is tampering when the head does not name it"
  )
  func olderGroupRecord() throws {
    let record = try DerivedKeys(vault).rewrappedGroupRecord()
    let file = try RawDatabase(vault.path)
    try file.execute("UPDATE grp SET record = \(record.bytes.sql)")
    #expect(throws: VaultError(.corruptHeader)) { try vault.openUnlocked() }
    try file.rewriteHead()
    #expect(throws: VaultError(.tampered)) { try vault.openUnlocked() }
  }

  @Test(
    "M-7: for who opens one group, a group of an older epoch is rolled back, whatever its counter"
  )
  func olderEpoch() throws {
    let keyFile = try Credential.makeKeyFile()
    let store = try vault.openUnlocked()
    var slot = SecretStore.NewSlot(.keyFile(contents: keyFile))
    slot.group = SecretStore.defaultGroupName
    try store.administration(with: vault.credential).addSlot(slot)
    try store.closeDrained()
    let keys = try DerivedKeys(vault)
    let seen = AnchorRecord(
      vaultID: keys.vaultID,
      scope: keys.groupID,
      epoch: 2,
      counter: 1,
      tag: Digest(repeating: 1),
      holder: Identifier(repeating: 1),
      writers: Writers()
    )
    let path = "\(vault.statePath)/anchors/\(keys.vaultID.hex)-\(keys.groupID.hex)"
    try vault.writePrivately(Data(seen.fileContents()), to: path)
    let error = #expect(throws: VaultError(.rolledBack)) {
      try vault.open().unlock(with: .keyFile(contents: keyFile))
    }
    #expect(error?.message.contains("epoch 2, commit 1") == true)
  }

  @Test(
    "M-8: the last commit of a group is made, and after it reading goes on and writing is refused"
  )
  func lastCommit() throws {
    let last = Limits.counters.upperBound
    try DerivedKeys(vault).setGroupCounter(last - 1, in: vault.path)
    let store = try vault.openUnlocked()
    try store.write(1, "last")
    #expect(throws: VaultError(.limitExceeded)) { try store.write(1, "over") }
    #expect(throws: VaultError(.limitExceeded)) {
      try store.remove(ItemIdentity(service: "base-0"))
    }
    #expect(try store.items().items.count == 4)
    #expect(try store.item(for: ItemIdentity(service: "last-0"))?.version == last)
    try store.closeDrained()
    #expect(try vault.openUnlocked().secret(for: ItemIdentity(service: "last-0"))?.text == "secret")
  }

  @Test("M-8: a counter beyond the last is no counter")
  func beyondLast() throws {
    try DerivedKeys(vault).setGroupCounter(Limits.counters.upperBound + 1, in: vault.path)
    #expect(throws: VaultError(.corruptHeader)) { try vault.openUnlocked() }
  }

  @Test("M-8: the last change of slots is made, and after it slots can be read and not changed")
  func lastChangeOfSlots() throws {
    try DerivedKeys(vault).setAdminCounter(Limits.counters.upperBound - 1, in: vault.path)
    let store = try vault.openUnlocked()
    let administration = try store.administration(with: vault.credential)
    let slot = SecretStore.NewSlot(.keyFile(contents: try Credential.makeKeyFile()))
    let id = try administration.addSlot(slot)
    #expect(throws: VaultError(.limitExceeded)) { try administration.addSlot(slot) }
    #expect(throws: VaultError(.limitExceeded)) { try administration.removeSlot(id) }
    #expect(try administration.slots().count == 2)
    try store.write(1, "later")
  }

  @Test("M-9: an edit behind an open session is not signed by its next write")
  func notLaundered() throws {
    let store = try vault.openUnlocked()
    let (edited, neighbour, distant) = try itemsOfOnePage(of: store)
    #expect(try store.secret(for: edited.identity)?.text == "secret")
    try vault.edit("UPDATE claim SET version = 1 WHERE item_id = x'\(edited.itemID)'")
    try store.set(SecretBytes("changed"), for: neighbour.identity)
    #expect(try store.secret(for: edited.identity)?.text == "secret", "as it was verified before")
    let other = try vault.openUnlocked()
    #expect(throws: VaultError(.tampered)) { try other.secret(for: edited.identity) }
    #expect(throws: VaultError(.tampered)) { try other.secret(for: neighbour.identity) }
    #expect(throws: VaultError(.tampered)) { try other.items() }
    #expect(try other.secret(for: distant.identity)?.text == "secret")
    #expect(try !other.administration(with: vault.credential).check().isSound)
  }

  @Test("M-9: a session that reads an edited page for the first time writes nothing to it")
  func notWritten() throws {
    let store = try vault.openUnlocked()
    let (edited, neighbour, distant) = try itemsOfOnePage(of: store)
    store.close()
    try vault.edit("DELETE FROM claim WHERE item_id = x'\(edited.itemID)'")
    let other = try vault.openUnlocked()
    #expect(throws: VaultError(.tampered)) {
      try other.set(SecretBytes("changed"), for: neighbour.identity)
    }
    #expect(throws: VaultError(.tampered)) { try other.secret(for: edited.identity) }
    try other.set(SecretBytes("changed"), for: distant.identity)
    #expect(throws: VaultError(.tampered)) { try other.secret(for: neighbour.identity) }
  }

  /// Two items whose claims lie in one page, and one of another page.
  private func itemsOfOnePage(
    of store: SecretStore
  ) throws -> (SecretItem, SecretItem, SecretItem) {
    try store.transaction { transaction in
      for number in 0..<400 {
        try transaction.set(SecretBytes("secret"), for: ItemIdentity(service: "many-\(number)"))
      }
    }
    let items = try store.items().items
    let claims = try RawDatabase(vault.path).claims()
    let pages = Dictionary(grouping: claims) { ClaimPage.number(of: $0.lookup) }
    let shared = try #require(pages.values.first { $0.count > 1 })
    let single = try #require(pages.values.first { $0.count == 1 })
    let chosen = try [shared[0], shared[1], single[0]].map { claim in
      try #require(items.first { $0.itemID == claim.itemID.hex })
    }
    return (chosen[0], chosen[1], chosen[2])
  }
}
