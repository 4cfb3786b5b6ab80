import Foundation
import SecretVault
import TestSupport
import Testing

@Suite("Items bound to a device or a passphrase")
struct DeviceBoundTests {
  private let vault: TemporaryVault
  private let classes: [Accessibility] = [
    .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .whenPasscodeSetThisDeviceOnly,
  ]

  init() throws {
    vault = try TemporaryVault()
  }

  private func passphraseSlot(_ text: String) throws -> SecretStore.NewSlot {
    var slot = SecretStore.NewSlot(.passphrase(try SecretBytes(text)), label: text)
    slot.log2N = 15
    return slot
  }

  /// A vault with a passphrase and one item of every class.
  private func makeVault() throws {
    let store = try vault.create(alsoProtectedBy: [passphraseSlot("first")])
    for accessibility in Accessibility.allCases {
      try store.set(SecretBytes("token"), for: .of(accessibility), accessibility: accessibility)
    }
    store.close()
  }

  private func expectBoundElsewhere(_ store: SecretStore) throws {
    let elsewhere = VaultError(.notOnThisDevice)
    for accessibility in classes {
      let identity = ItemIdentity.of(accessibility)
      let item = SecretItem(identity: identity, accessibility: accessibility)
      #expect(throws: elsewhere) { try store.secret(for: identity) }
      #expect(throws: elsewhere) { try store.item(for: identity) }
      #expect(throws: elsewhere) { try store.set(SecretBytes("x"), for: identity) }
      #expect(throws: elsewhere) { try store.update(identity) { _, _ in } }
      #expect(throws: elsewhere) { try store.remove(identity) }
      #expect(throws: elsewhere) { try store.add(item, secret: SecretBytes("x")) }
    }
    let listing = try store.items()
    #expect(listing.otherDeviceCount == classes.count)
    #expect(listing.items.count == Accessibility.allCases.count - classes.count)
    #expect(try store.secret(for: .of(.whenUnlocked))?.text == "token")
  }

  @Test("L-6: where there is no device key, a bound item is not on this device")
  func absentKey() throws {
    try makeVault()
    // A state folder below a file cannot be made.
    var options = vault.options
    options.stateDirectory = vault.path + "/state"
    let store = try SecretStore.open(at: vault.path, options: options)
    try store.unlock(with: vault.credential)
    try expectBoundElsewhere(store)
    let new = SecretItem(
      identity: ItemIdentity(service: "new"),
      accessibility: .afterFirstUnlockThisDeviceOnly
    )
    #expect(throws: VaultError(.notOnThisDevice)) { try store.add(new, secret: nil) }
  }

  @Test("L-6: with another device's key, a bound item is not on this device")
  func wrongKey() throws {
    try makeVault()
    try expectBoundElsewhere(try vault.openUnlocked(onMachine: "mallory"))
  }

  @Test("L-6: with the device's key, a bound item is readable")
  func presentKey() throws {
    try makeVault()
    let store = try vault.openUnlocked()
    for accessibility in classes {
      #expect(try store.secret(for: .of(accessibility))?.text == "token")
    }
    #expect(try store.items().otherDeviceCount == 0)
  }

  @Test("L-6: a damaged device key opens nothing, is not replaced, and is told as such")
  func damagedKey() throws {
    try makeVault()
    let path = vault.statePath + "/device.key"
    var line = try Data(contentsOf: URL(fileURLWithPath: path))
    line[10] = line[10] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    try vault.writePrivately(line, to: path)
    let error = #expect(throws: VaultError(.notOnThisDevice)) { try vault.openUnlocked() }
    #expect(error?.message.contains("device.key") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == line)
  }

  @Test("L-8: removing the last passphrase removes its items in the same commit, and no others")
  func lastPassphrase() throws {
    try makeVault()
    let store = try vault.openUnlocked()
    let administration = try store.administration(with: vault.credential)
    let file = try RawDatabase(vault.path)
    let counters = "SELECT counter FROM grp"
    let before = try file.rows(counters).compactMap(Int.init)
    let slot = try #require(try administration.slots().first { $0.needsPassphrase })
    #expect(try administration.removeSlot(slot.id) == 1)
    #expect(try file.rows(counters).compactMap(Int.init) == before.map { $0 + 1 })
    #expect(try file.claims().count == Accessibility.allCases.count - 1)
    #expect(try file.rows("SELECT count(*) FROM box") == ["\(Accessibility.allCases.count - 1)"])
    #expect(try store.secret(for: .of(.whenPasscodeSetThisDeviceOnly)) == nil)
    for accessibility in Accessibility.allCases
    where accessibility != .whenPasscodeSetThisDeviceOnly {
      #expect(try store.secret(for: .of(accessibility))?.text == "token")
    }
    #expect(try administration.check().isSound)
  }

  @Test("L-8: the items stay while another passphrase is left, and when one is changed")
  func otherPassphrase() throws {
    try makeVault()
    let store = try vault.openUnlocked()
    let first = try store.administration(with: .passphrase(SecretBytes("first")))
    _ = try first.changePassphrase(to: SecretBytes("changed"), log2N: 15)
    #expect(try store.secret(for: .of(.whenPasscodeSetThisDeviceOnly))?.text == "token")
    let administration = try store.administration(with: vault.credential)
    let second = try administration.addSlot(passphraseSlot("second"))
    #expect(try administration.removeSlot(second) == 0)
    #expect(try store.secret(for: .of(.whenPasscodeSetThisDeviceOnly))?.text == "token")
  }

  @Test("L-8: without a passphrase nothing can be stored that needs one")
  func withoutPassphrase() throws {
    let store = try vault.create()
    #expect(throws: VaultError(.accessibilityRefused)) {
      try store.set(
        SecretBytes("token"),
        for: .of(.whenPasscodeSetThisDeviceOnly),
        accessibility: .whenPasscodeSetThisDeviceOnly
      )
    }
  }
}
