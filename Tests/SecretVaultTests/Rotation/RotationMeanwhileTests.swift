import SecretVault
import TestSupport
import Testing

/// What others change while the vault gets new keys.
@Suite("Rotations beside others")
struct RotationMeanwhileTests {
  private let vault: TemporaryVault
  private let itemCount = 400

  init() throws { vault = try .withNumberedItems(itemCount) }

  @Test("what others write while items are sealed is in the rotated vault")
  func writesMeanwhile() throws {
    let other = try vault.openUnlocked()
    let administration = try vault.open().administration(with: vault.credential)
    let isDone = Flag()
    let report = try administration.rotateKeys { _ in
      guard !isDone.isSet else { return }
      isDone.set()
      try? other.set(SecretBytes("changed"), for: .numbered(1))
      _ = try? other.remove(.numbered(2))
      try? other.set(SecretBytes("new"), for: ItemIdentity(service: "new"))
    }
    #expect(isDone.isSet)
    #expect(report.resealedItems == itemCount)
    let store = try vault.openUnlocked()
    #expect(try store.secret(for: .numbered(1))?.text == "changed")
    #expect(try store.secret(for: .numbered(2)) == nil)
    #expect(try store.secret(for: ItemIdentity(service: "new"))?.text == "new")
    #expect(try store.items().items.count == itemCount)
    #expect(try administration.check().isSound)
  }

  @Test("who accepts the vault with keys from before learns of the new ones")
  func acceptanceMeanwhile() throws {
    let (rotating, accepting) = (try vault.openUnlocked(), try vault.openUnlocked())
    let writer = try HeldWriteLock(vault)
    let rotation = Background { [vault] in
      _ = try rotating.administration(with: vault.credential).rotate()
    }
    #expect(eventually { HeldPlace.isTaken(0, vault) })
    let acceptance = Background { [vault] in
      _ = try accepting.acceptRestore(with: vault.credential)
    }
    #expect(eventually { HeldPlace.isTaken(1, vault) })
    writer.release()
    try rotation.result().get()
    #expect(throws: VaultError(.keysRotated)) { try acceptance.result().get() }
    #expect(try accepting.acceptRestore(with: vault.credential) == nil)
  }

  @Test("slots that another adds meanwhile are seen, and dropped by name")
  func slotMeanwhile() throws {
    let other = try vault.open().administration(with: vault.credential)
    let administration = try vault.open().administration(with: vault.credential)
    let isDone = Flag()
    var slot = SecretStore.NewSlot(.keyFile(contents: try Credential.makeKeyFile()))
    slot.label = "late"
    let late = slot
    let report = try administration.rotateKeys { _ in
      guard !isDone.isSet else { return }
      isDone.set()
      _ = try? other.addSlot(late)
    }
    #expect(report.droppedSlots.map(\.label).contains("late"))
    #expect(try vault.unlockingCode(late.credential) == .credentialRejected)
    #expect(throws: VaultError(.keysRotated)) { try other.slots() }
    #expect(throws: VaultError(.locked)) { try other.slots() }
  }

  @Test("groups that another makes meanwhile are rotated too")
  func groupMeanwhile() throws {
    let other = try vault.open().administration(with: vault.credential)
    let administration = try vault.open().administration(with: vault.credential)
    try other.createGroup("late")
    try administration.rotate()
    let epochs = try RawDatabase(vault.path).rows("SELECT hex(substr(record, 17, 8)) FROM grp")
    #expect(epochs == ["0000000000000002", "0000000000000002"])
    let store = try vault.openUnlocked()
    #expect(store.openedGroups.sorted() == ["default", "late"])
  }

  @Test("the last passphrase takes the items of groups along that were made after the opening")
  func lastPassphraseOfNewGroup() throws {
    let administration = try vault.open().administration(with: vault.credential)
    let other = try vault.openUnlocked()
    try other.administration(with: vault.credential).createGroup("late")
    try other.unlock(with: vault.credential)
    let item = ItemIdentity(service: "needy", group: "late")
    try other.set(SecretBytes("x"), for: item, accessibility: .whenPasscodeSetThisDeviceOnly)
    let slot = try #require(try administration.slots().first { $0.needsPassphrase })
    #expect(try administration.removeSlot(slot.id) == 1)
    #expect(try other.item(for: item) == nil)
  }
}
