import SecretVault
import Testing
import VaultFormat

/// Rows copied into another access group, or into another vault of the same owner.
@Suite("Rows from elsewhere")
struct ForeignRowTests {
  private let work = ItemIdentity(service: "work.example.com", account: "w", group: "work")

  /// A vault with a second group that holds one item.
  private func makeItems() throws -> (items: AttackedItems, work: GroupInsider) {
    let items = try AttackedItems { store, credential in
      try store.administration(with: credential).createGroup("work")
      try store.unlock(with: credential)
      try store.set(SecretBytes("secret of work"), for: work)
    }
    let insider = try Insider(items.raw, keyFile: items.vault.keyFile)
    let groups = try (0..<2).map { try GroupInsider(items.raw, insider, group: $0) }
    let isFirst = (try? groups[0].item(work)) != nil
    return (items, isFirst ? groups[0] : groups[1])
  }

  private func item(_ identity: ItemIdentity, _ items: AttackedItems) throws -> RawItem {
    let insider = try Insider(items.raw, keyFile: items.vault.keyFile)
    for number in 0..<2 {
      let group = try GroupInsider(items.raw, insider, group: number)
      if let item = try? group.item(identity) { return item }
    }
    throw VaultError(.itemNotFound)
  }

  @Test(
    "R-5: a row copied into a page of another group is tampering there",
    arguments: [true, false]
  )
  func copiedRow(withBox: Bool) throws {
    let (items, group) = try makeItems()
    let own = try group.item(work)
    var copy = try item(items.alice, items)
    let neighbour = Array(own.lookup[..<31]) + [own.lookup[31] ^ 1]
    copy = copy.replacing(Claim.lookupRange.lowerBound, with: neighbour)
    if withBox {
      copy.box = 1_000
      try items.raw.putBox(copy)
    }
    try items.raw.putClaim(copy, in: group.groupID)
    #expect(try items.read(work) == .tampered)
    #expect(try items.read(items.alice) == .whole)
    #expect(try items.isSound() == false)
  }

  @Test("R-5: a row of another group in place of an item is tampering")
  func replacedRow() throws {
    let (items, group) = try makeItems()
    let own = try group.item(work)
    let copy = try item(items.alice, items)
      .replacing(Claim.lookupRange.lowerBound, with: own.lookup)
    try items.raw.putClaim(copy, in: group.groupID)
    #expect(try items.read(work) == .tampered)
  }

  @Test("R-5: a row moved to another group is missed in its own and found in neither")
  func movedRow() throws {
    let (items, group) = try makeItems()
    try items.raw.execute(
      "UPDATE claim SET group_id = ? WHERE lookup = ?",
      [.blob(group.groupID), .blob(try item(items.alice, items).lookup)]
    )
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.isSound() == false)
  }

  @Test(
    "R-17: rows of another vault with the same credential are tampering",
    arguments: [true, false]
  )
  func exchangedVault(withClaim: Bool) throws {
    let items = try AttackedItems()
    let twin = try TemporaryVault()
    let store = try SecretStore.create(
      at: twin.path,
      protectedBy: [SecretStore.NewSlot(items.vault.credential)],
      options: twin.options
    )
    try store.set(SecretBytes("another secret"), for: items.alice)
    store.close()
    let raw = try twin.raw()
    let own = try items.group.item(items.alice)
    var foreign = try raw.items()[0]
    foreign = foreign.replacing(Claim.lookupRange.lowerBound, with: own.lookup)
    foreign.box = own.box
    try items.raw.putBox(foreign)
    if withClaim { try items.raw.putClaim(foreign) }
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .whole)
  }
}
