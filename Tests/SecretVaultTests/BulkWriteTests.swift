import SecretVault
import Synchronization
import TestSupport
import Testing
import VaultCrypto
import VaultDatabase
import VaultFormat

/// Transactions of so many items that several cores seal them.
@Suite("Many items in one transaction")
struct BulkWriteTests {
  private static let itemCount = 700

  private static func identity(_ number: Int) -> ItemIdentity {
    ItemIdentity(service: "bulk", account: "\(number)")
  }

  private func setMany(_ transaction: StoreTransaction, _ prefix: String) throws {
    for number in 0..<Self.itemCount {
      var item = SecretItem(identity: Self.identity(number))
      item.versionsKept = 1
      try transaction.set(item, secret: SecretBytes("\(prefix)\(number)"))
    }
  }

  /// A generator that notes what it gave.
  private final class NotedSource: Sendable {
    private let drawn = Mutex<[[UInt8]]>([])

    var source: RandomSource {
      let system = RandomSource.system
      return RandomSource { [self] bytes throws(CryptoError) in
        try system.fill(&bytes)
        let copy = bytes.indices.map { bytes[$0] }
        drawn.withLock { $0.append(copy) }
      }
    }

    /// What was drawn in pieces of this size, in order.
    func pieces(of count: Int) -> [[UInt8]] {
      drawn.withLock { drawn in drawn.filter { $0.count == count } }
    }

    func forget() { drawn.withLock { $0 = [] } }
  }

  @Test("stores all of them, twice, with the earlier secrets, and the vault is sound")
  func everything() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    try store.transaction { try setMany($0, "a") }
    try store.transaction { try setMany($0, "b") }
    let reader = try vault.openUnlocked()
    for number in 0..<Self.itemCount {
      #expect(try reader.secret(for: Self.identity(number))?.text == "b\(number)")
      let version = try #require(try reader.history(of: Self.identity(number)).first)
      let earlier = try reader.secret(of: Self.identity(number), version: version.version)
      #expect(earlier?.text == "a\(number)")
    }
    let report = try reader.administration(with: vault.credential).check()
    #expect(report.isSound)
    #expect(report.verifiedCount == Self.itemCount)
  }

  @Test("sees changes of one item in their order, also beside hundreds of others")
  func order() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    let moved = ItemIdentity(service: "moved")
    try store.transaction { transaction in
      try setMany(transaction, "a")
      try transaction.set(SecretBytes("again"), for: Self.identity(5))
      try transaction.remove(Self.identity(6))
      try transaction.update(Self.identity(7)) { item, _ in item.identity = moved }
      try transaction.add(SecretItem(identity: Self.identity(6)), secret: SecretBytes("new"))
      try transaction.update(Self.identity(5)) { item, _ in item.label = "label" }
    }
    #expect(try store.secret(for: Self.identity(5))?.text == "again")
    #expect(try store.item(for: Self.identity(5))?.label == "label")
    #expect(try store.secret(for: Self.identity(6))?.text == "new")
    #expect(try store.secret(for: Self.identity(7)) == nil)
    #expect(try store.secret(for: moved)?.text == "a7")
    #expect(try store.items().items.count == Self.itemCount)
    let report = try store.administration(with: vault.credential).check()
    #expect(report.isSound)
    #expect(report.verifiedCount == Self.itemCount)
  }

  @Test("gives each row the random bytes that were drawn for it, in the order of the items")
  func randomness() throws {
    let vault = try TemporaryVault()
    let noted = NotedSource()
    let store = try SecretStore.create(
      at: vault.path,
      protectedBy: [SecretStore.NewSlot(vault.credential)],
      group: "default",
      lockState: ManualLockState(),
      options: vault.options,
      random: noted.source
    )
    noted.forget()
    try store.transaction { try setMany($0, "a") }
    store.close()
    let raw = try vault.raw()
    let group = try GroupInsider(raw, Insider(raw, keyFile: vault.keyFile))
    // New boxes are numbered in the order in which they are written.
    let rows = try raw.items().sorted { $0.box < $1.box }
    let ids = noted.pieces(of: 16)
    let draws = noted.pieces(of: 32)
    #expect(rows.count == Self.itemCount && draws.count == Self.itemCount)
    #expect(rows.map { Array($0.claim[..<16]) } == ids)
    let revs = try zip(rows, draws).map { row, random in
      let contents = try [BoxPart.attributes, .secret].map { part in
        let padded = try group.open(part, of: row)
        return Array(padded[4..<(4 + Int(padded[2]) << 8 + Int(padded[3]))])
      }
      return try group.rev(of: row, random: random, contents: contents + [[]])
    }
    #expect(rows.map(\.rev) == revs)
  }

  @Test("a lock that comes meanwhile ends it, and then nothing of it is stored")
  func lockedMeanwhile() throws {
    let vault = try TemporaryVault()
    let store = try vault.create()
    let isWriting = Flag()
    let writing = Background {
      try store.transaction { transaction in
        for round in 0..<8 { try setMany(transaction, "\(round) ") }
        isWriting.set()
      }
    }
    #expect(eventually { isWriting.isSet })
    store.lock()
    let wasStored: Bool
    do {
      try writing.result().get()
      wasStored = true
    } catch let error as VaultError {
      #expect(error.code == .locked)
      wasStored = false
    }
    try store.unlock(with: vault.credential)
    #expect(try store.items().items.count == (wasStored ? Self.itemCount : 0))
  }
}
