import SecretVault
import Synchronization
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

@Suite("Rotations")
struct RotationTests {
  private let rotated: RotatedVault
  private var vault: TemporaryVault { rotated.vault }

  init() throws {
    rotated = try RotatedVault()
  }

  @Test("a rotation keeps every item with its id, version, class, dates and secret")
  func keepsItems() throws {
    let before = try rotated.contents()
    let columns = try rotated.keptColumns()
    var rotation = Rotation()
    rotation.keptCredentials = [rotated.passphrase]
    let report = try rotated.rotate(rotation)
    #expect(report.resealedItems == Accessibility.allCases.count + 1)
    #expect(report.itemsRemovedWithPassphrase == 0)
    #expect(try rotated.contents() == before)
    #expect(try rotated.contents(with: rotated.passphrase) == before)
    #expect(try rotated.keptColumns() == columns)
    #expect(try rotated.isSound())
  }

  @Test("a rotation raises the root epoch, every group's epoch and every counter by one")
  func positions() throws {
    let query = """
      SELECT hex(substr(record, 25, 16)) FROM head UNION ALL \
      SELECT hex(substr(record, 17, 8)) || '-' || counter FROM grp ORDER BY 1
      """
    #expect(
      try RawDatabase(vault.path).rows(query) == [
        "0000000000000001-2", "0000000000000001-6", "00000000000000010000000000000003",
      ]
    )
    try rotated.rotate()
    #expect(
      try RawDatabase(vault.path).rows(query) == [
        "0000000000000002-3", "0000000000000002-7", "00000000000000020000000000000004",
      ]
    )
  }

  @Test("nothing that can be seen of an item stays the same, but for what its claim keeps")
  func changesEverything() throws {
    let raw = try vault.raw()
    let before = try raw.groupIDs().flatMap { try raw.items(of: $0) }
    var rotation = Rotation()
    rotation.keptCredentials = [rotated.passphrase]
    try rotated.rotate(rotation)
    let after = try raw.groupIDs().flatMap { try raw.items(of: $0) }
    #expect(after.count == before.count)
    for old in before {
      let new = try #require(after.first { $0.claim[..<16] == old.claim[..<16] })
      #expect(new.claim[..<43] == old.claim[..<43])
      #expect(new.lookup != old.lookup && new.rev != old.rev)
      #expect(new.attributes != old.attributes && new.secret != old.secret)
    }
  }

  @Test("the former keys open nothing of the new state")
  func formerKeys() throws {
    let formerKeys = try DerivedKeys(vault)
    let former = try vault.raw().head()
    try rotated.rotate()
    let raw = try vault.raw()
    let insider = try Insider(raw, keyFile: vault.keyFile)
    #expect(copy(of: formerKeys.root) != copy(of: insider.root))
    let group = formerKeys.groupID.array
    let leaf = try formerKeys.leaf(.whenUnlocked, isAttributes: false).sealingContext()
    for item in try raw.items(of: group) {
      var output = [UInt8](repeating: 0, count: item.secret.count)
      var bytes = output.mutableSpan
      let context = Label.secret.tag + formerKeys.vaultID.array + group + item.claim[..<75]
      #expect(throws: CryptoError.commitmentMismatch) {
        _ = try SealedBox.open(
          item.secret.span,
          with: leaf,
          salt: item.rev.span,
          context: context.span,
          using: insider.cipher,
          into: &bytes
        )
      }
    }
    // No record of the former head is in the new one.
    let current = try raw.head()
    #expect(Set(former.slots.map(\.record)).isDisjoint(with: current.slots.map(\.record)))
    #expect(Set(former.slots.map(\.label)).isDisjoint(with: current.slots.map(\.label)))
    #expect(Set(former.groups).isDisjoint(with: current.groups))
  }

  private func copy(of key: borrowing Key<Role.Root>) -> [UInt8] {
    key.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  @Test("an administration goes on after rotations that it made")
  func goesOn() throws {
    let store = try vault.open()
    let administration = try store.administration(with: vault.credential)
    for _ in 0..<3 { try administration.rotate() }
    try administration.addSlot(.passphrase("new one"))
    #expect(try administration.slots().count == 2)
    #expect(try administration.check().isSound)
    try store.unlock(with: .passphrase(SecretBytes("new one")))
    #expect(try store.secret(for: .of(.whenUnlocked))?.text == "whenUnlocked")
  }

  @Test("after a change of its passphrase, an administration rotates with the new one")
  func afterPassphraseChange() throws {
    let store = try vault.open()
    let administration = try store.administration(with: rotated.passphrase)
    _ = try administration.changePassphrase(to: SecretBytes("second"), log2N: 15)
    var rotation = Rotation()
    rotation.log2N = 15
    let report = try administration.rotate(rotation)
    #expect(report.droppedSlots.map(\.label).sorted() == ["", "ci"])
    try store.unlock(with: .passphrase(SecretBytes("second")))
    #expect(throws: VaultError(.credentialRejected)) { try store.unlock(with: rotated.passphrase) }
  }

  @Test("a rotation of one group leaves the root key, the other groups and their slots as they are")
  func oneGroup() throws {
    let before = try rotated.contents()
    let head = try vault.raw().head()
    let boxes = try vault.raw().rows(of: "box")
    let report = try rotated.rotate(Rotation(ofGroup: "work"))
    #expect(report.resealedItems == 1)
    #expect(report.droppedSlots.map(\.label) == ["ci"])
    #expect(report.droppedSlots.map(\.groupName) == ["work"])
    let after = try vault.raw().head()
    #expect(after.record[24..<32] == head.record[24..<32])
    #expect(Set(after.slots).isSubset(of: head.slots))
    #expect(Set(after.groups).intersection(head.groups).count == 1)
    #expect(Set(try vault.raw().rows(of: "box")).intersection(boxes).count == boxes.count - 1)
    #expect(try rotated.contents() == before)
    #expect(try rotated.contents(with: rotated.passphrase) == before)
    #expect(try vault.unlockingCode(rotated.workKey) == .credentialRejected)
    #expect(try rotated.isSound())
  }

  @Test("progress is told up to all items")
  func progress() throws {
    let store = try vault.open()
    let administration = try store.administration(with: vault.credential)
    let told = Mutex<[RotationProgress]>([])
    try administration.rotate { progress in told.withLock { $0.append(progress) } }
    let last = try #require(told.withLock { $0.last })
    #expect(last.completedItems == last.totalItems)
    #expect(last.totalItems == Accessibility.allCases.count)
  }

  @Test("who is told of the progress may use the administration, and lock the store")
  func progressThatCallsBack() throws {
    let rotated = try RotatedVault(passphrases: [])
    let before = try rotated.contents()
    let store = try rotated.vault.openUnlocked()
    let administration = try store.administration(with: rotated.vault.credential)
    let slotCounts = Mutex<[Int]>([])
    try administration.rotate { _ in
      let count = (try? administration.slots().count) ?? 0
      slotCounts.withLock { $0.append(count) }
    }
    // It had to wait for the end, when the slot of the group was dropped.
    #expect(slotCounts.withLock { $0.first } == 1)
    try store.unlock(with: rotated.vault.credential)
    do throws(VaultError) {
      try administration.rotate { _ in store.lock() }
    } catch {
      #expect(error.code == .locked)
    }
    #expect(store.lockState != .unlocked)
    #expect(try rotated.contents() == before)
  }

  @Test("a vault and a group without items can be rotated")
  func empty() throws {
    let empty = try TemporaryVault()
    let store = try empty.create()
    let report = try store.administration(with: empty.credential).rotate()
    #expect(report.resealedItems == 0 && report.droppedSlots.isEmpty)
    try store.unlock(with: empty.credential)
    #expect(try store.items().items.isEmpty)
  }

  @Test("unknown groups are refused, and nothing is changed")
  func unknownGroup() throws {
    let before = try vault.raw().head()
    #expect(throws: VaultError(.invalidArgument)) { try rotated.rotate(Rotation(ofGroup: "play")) }
    #expect(try vault.raw().head() == before)
  }
}
