import SecretVault
import Testing
import VaultDatabase
import VaultFormat

/// Histories in the hands of somebody without keys, and of somebody with keys who does not keep the rules.
@Suite("Attacked histories")
struct AttackedHistoryTests {
  private let items: AttackedItems
  private let alice: RawItem
  private let bob: RawItem

  init() throws {
    items = try AttackedItems {
      [alice = ItemIdentity(service: "api.example.com", account: "alice")]
      store,
      _ in
      for identity in [alice, ItemIdentity(service: "db.example.com", account: "bob")] {
        let changes = ItemChanges(versionsKept: 2)
        try store.set(SecretBytes("new"), for: identity, changing: changes)
      }
    }
    alice = try items.group.item(items.alice)
    bob = try items.group.item(items.bob)
  }

  /// The code with which the history of an item cannot be read, or its versions cannot be restored or cut.
  private func codes(_ identity: ItemIdentity) throws -> Set<VaultError.Code?> {
    try items.withStore { store in
      [
        TemporaryVault.code { _ = try store.history(of: identity) },
        TemporaryVault.code { _ = try store.secret(of: identity, version: 1) },
        TemporaryVault.code { try store.restoreVersion(1, of: identity) },
        TemporaryVault.code { try store.set(SecretBytes("newer"), for: identity) },
      ]
    }
  }

  private func expectTampered(_ identity: ItemIdentity) throws {
    #expect(try items.read(identity) == .whole)
    #expect(try codes(identity) == [.tampered])
    #expect(try items.isSound() == false)
  }

  @Test("K17: a history is the entry of the format: version, date, and the secret with its length")
  func layout() throws {
    let padded = try items.group.open(.history, of: alice)
    let version = try items.withStore { try $0.history(of: items.alice)[0] }
    var entry: [UInt8] = []
    entry.append(bigEndian: version.version)
    entry.append(bigEndian: version.modified.millisecondsSince1970)
    entry += [0, 0, 0, 15] + Array("secret of alice".utf8)
    #expect(padded == [0, 0, 0, UInt8(entry.count)] + entry + [UInt8](repeating: 0, count: 25))
  }

  @Test("R-1: a flipped byte of a history is noticed when it is opened, and harms nothing else")
  func flips() throws {
    for index in alice.history.indices {
      var edited = alice
      edited.history[index] ^= 1 << UInt8(index % 8)
      try items.raw.putBox(edited)
      #expect(try items.read(items.alice) == .whole)
      let code = try items.withStore { store in
        TemporaryVault.code { _ = try store.history(of: items.alice) }
      }
      #expect(code == .tampered, "byte \(index)")
    }
    #expect(try items.isSound() == false)
  }

  @Test("R-2: histories that were exchanged between items are tampering")
  func exchanged() throws {
    var (left, right) = (alice, bob)
    swap(&left.history, &right.history)
    for item in [left, right] { try items.raw.putBox(item) }
    try expectTampered(items.alice)
    try expectTampered(items.bob)
  }

  @Test("R-3: a secret in the place of a history is tampering, and the other way round")
  func exchangedParts() throws {
    var edited = alice
    swap(&edited.history, &edited.secret)
    try items.raw.putBox(edited)
    #expect(try codes(items.alice) == [.tampered])
    #expect(try items.read(items.alice) == AttackedItems.Reading(secret: .tampered))
  }

  @Test("R-12: the history of an earlier version of the item is tampering")
  func replayed() throws {
    try items.withStore { try $0.set(SecretBytes("newest"), for: items.alice) }
    var edited = try items.group.item(items.alice)
    edited.history = alice.history
    try items.raw.putBox(edited)
    try expectTampered(items.alice)
  }

  @Test("R-6: the history from before the item got another class is tampering")
  func otherClass() throws {
    try items.withStore { store in
      try store.update(items.alice) { item, _ in item.accessibility = .afterFirstUnlock }
    }
    var edited = try items.group.item(items.alice)
    edited.history = alice.history
    try items.raw.putBox(edited)
    try expectTampered(items.alice)
  }

  @Test("a history that was cleared, or is there beside attributes that know of none, is tampering")
  func missingAndUnexpected() throws {
    var edited = alice
    edited.history = []
    try items.raw.putBox(edited)
    try expectTampered(items.alice)

    try items.raw.putBox(alice)
    try items.withStore { store in
      try store.update(items.bob) { item, _ in item.versionsKept = 0 }
      try store.set(SecretBytes("b"), for: items.bob)
    }
    var row = try items.group.item(items.bob)
    let entry = try items.group.open(.history, of: alice)
    row.history = try items.group.seal(entry, as: .history, of: row)
    try items.raw.putBox(row)
    #expect(try items.isSound() == false)
    let code = try items.withStore { store in
      TemporaryVault.code { _ = try store.history(of: items.bob) }
    }
    #expect(code == .tampered)
  }

  @Test(
    "a history of another number of entries than the attributes say is tampering, whoever sealed it",
    arguments: [0, 2]
  )
  func otherCount(count: Int) throws {
    let padded = try items.group.open(.history, of: alice)
    let entry = Array(padded[4..<(4 + Int(padded[3]))])
    var edited = alice
    let entries = (0..<count).flatMap { _ in entry }
    edited.history = try items.group.seal(
      GroupInsider.padded(entries),
      as: .history,
      of: alice
    )
    try items.raw.putBox(edited)
    try expectTampered(items.alice)
  }

  @Test("a history that ends inside an entry is tampering, whoever sealed it")
  func malformed() throws {
    let padded = try items.group.open(.history, of: alice)
    let entry = Array(padded[4..<(4 + Int(padded[3]))])
    for bytes in [
      Array(entry.dropLast()), entry + [0], Array(entry.prefix(20)),
      [UInt8](repeating: 0, count: 20),
    ] {
      var edited = alice
      edited.history = try items.group.seal(GroupInsider.padded(bytes), as: .history, of: alice)
      try items.raw.putBox(edited)
      try expectTampered(items.alice)
    }
  }
}
