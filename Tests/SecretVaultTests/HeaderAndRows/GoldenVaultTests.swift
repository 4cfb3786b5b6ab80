import SecretVault
import Testing
import VaultFormat

/// The frozen file: what was written once in format 1 is read, and written again, in the same way for good.
@Suite("The golden vault")
struct GoldenVaultTests {
  private let folder: TemporaryVault

  init() throws {
    folder = try TemporaryVault()
  }

  /// Unlocks the kept vault.
  private func open(_ golden: GoldenVault, _ way: GoldenVault.WayIn) throws -> SecretStore {
    let store = try SecretStore.open(at: golden.path, options: golden.options)
    try store.unlock(with: GoldenVault.credential(way))
    return store
  }

  @Test(
    "V-10: each credential opens the golden vault, which holds exactly its items",
    arguments: GoldenVault.WayIn.allCases
  )
  func contents(way: GoldenVault.WayIn) throws {
    let store = try open(GoldenVault(copiedTo: folder.folder), way)
    let listing = try store.items()
    #expect(listing.items.count == way.itemCount)
    #expect(listing.lockedCount + listing.otherDeviceCount + listing.unsupportedCount == 0)
    let entries = try GoldenVault.entries().filter { entry in
      way != .workKeyFile || entry.item.identity.group == "work"
    }
    for entry in entries {
      let found = try #require(try store.item(for: entry.item.identity))
      #expect(found.identity.input == entry.item.identity.input)
      #expect(found.identity.service.form == entry.item.identity.service.form)
      #expect(found.accessibility == entry.item.accessibility)
      #expect(found.label == entry.item.label)
      #expect(found.comment == entry.item.comment)
      #expect(found[applicationAttribute: 64] == entry.item[applicationAttribute: 64])
      #expect(try store.secret(for: entry.item.identity)?.text == entry.secret)
    }
  }

  @Test("V-10: on another device the golden vault keeps what is bound to the first one shut")
  func otherDevice() throws {
    let golden = try GoldenVault(copiedTo: folder.folder, withDeviceKey: false)
    let listing = try open(golden, .keyFile).items()
    #expect(listing.items.count == 3)
    #expect(listing.otherDeviceCount == 3)
  }

  @Test("V-10: a check of the golden vault finds all of it sound, and every slot has its label")
  func soundness() throws {
    let store = try open(GoldenVault(copiedTo: folder.folder), .keyFile)
    let administration = try store.administration(with: GoldenVault.credential(.keyFile))
    let report = try administration.check()
    #expect(report.isSound)
    #expect(report.verifiedCount == 6)
    let labels = try administration.slots().map(\.label)
    let expected = ["passphrase", "key file", "recovery code", "combination", "work only"]
    #expect(Set(labels) == Set(expected))
    #expect(labels.count == expected.count)
  }

  @Test("V-10: written again from the same random stream, the golden vault has the same records")
  func rewriting() throws {
    let kept = try RawVault(GoldenVault(copiedTo: folder.folder).path)
    let other = try TemporaryVault()
    let written = try RawVault(GoldenVault(rewrittenIn: other.folder).path)
    #expect(try written.head() == kept.head())
    // Dates are sealed with the attributes, so rev, boxes and the tags over them are new each time.
    let columns = [
      ("grp", "id, group_id, record, counter, name, state, length(branches)"),
      ("page", "group_id, number, items, length(tag)"),
      (
        "claim",
        "group_id, item_id, kind, class, flags, device_id, version, lookup, length(rev), box"
      ),
      ("box", "id, length(attributes), length(secret), length(history)"),
    ]
    for (table, columns) in columns {
      let query = "SELECT \(columns) FROM \(table) ORDER BY 1, 2"
      #expect(try written.execute(query) == kept.execute(query), "\(table)")
    }
  }
}
