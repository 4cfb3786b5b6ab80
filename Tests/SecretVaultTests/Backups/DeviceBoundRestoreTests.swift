import Foundation
import SecretVault
import TestSupport
import Testing

@Suite("Restores of items that are bound to a device")
struct DeviceBoundRestoreTests {
  private let vault: TemporaryVault
  private let bound = ItemIdentity.of(.whenUnlockedThisDeviceOnly)

  init() throws {
    vault = try TemporaryVault()
    try vault.makeBackupFolder()
    let store = try vault.create()
    for accessibility in [Accessibility.whenUnlocked, .whenUnlockedThisDeviceOnly] {
      try store.set(SecretBytes("token"), for: .of(accessibility), accessibility: accessibility)
    }
    store.close()
    try vault.backUp()
  }

  @Test("on the device that they are bound to, they are restored")
  func sameDevice() throws {
    #expect(try vault.restore().removedItems == [])
    #expect(try vault.openUnlocked().secret(for: bound)?.text == "token")
  }

  @Test("on another device they are left out in the same commit, and named by their ids")
  func otherDevice() throws {
    let id = try #require(
      try RawDatabase(vault.path).rows("SELECT hex(item_id) FROM claim WHERE class >= 16").first
    )
    var options = vault.options
    options.stateDirectory = vault.folder + "/state-of-other"
    let other = try SecretStore.open(at: vault.path, options: options)
    let report = try other.restore(from: vault.backupPath, with: vault.credential)
    #expect(report.removedItems.map { $0.uppercased() } == [id])
    #expect(report.itemCount == 1)
    #expect(try RawDatabase(vault.path).rows("SELECT count(*) FROM claim") == ["1"])
    #expect(try RawDatabase(vault.path).rows("SELECT count(*) FROM box") == ["1"])
    try other.unlock(with: vault.credential)
    #expect(try other.items().otherDeviceCount == 0)
    #expect(try other.administration(with: vault.credential).check().isSound)
    #expect(try vault.openUnlocked().secret(for: bound) == nil)
  }

  @Test("without a device key nothing says whose they are, so they stay")
  func absentKey() throws {
    var options = vault.options
    options.stateDirectory = vault.path + "/state"
    let store = try SecretStore.open(at: vault.path, options: options)
    #expect(try store.restore(from: vault.backupPath, with: vault.credential).removedItems == [])
    #expect(try vault.openUnlocked().secret(for: bound)?.text == "token")
  }
}
