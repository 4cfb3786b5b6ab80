import SecretVault
import Testing
import VaultFormat

/// Parts and rows exchanged or edited by somebody without keys.
@Suite("Exchanged and edited rows")
struct RowExchangeTests {
  private let items: AttackedItems
  private let alice: RawItem
  private let bob: RawItem

  init() throws {
    items = try AttackedItems()
    alice = try items.group.item(items.alice)
    bob = try items.group.item(items.bob)
  }

  @Test(
    "R-2: swapped secret boxes are tampering when a secret is read, and the attributes are whole"
  )
  func swappedSecrets() throws {
    var (left, right) = (alice, bob)
    swap(&left.secret, &right.secret)
    for item in [left, right] { try items.raw.putBox(item) }
    #expect(try items.read(items.alice) == AttackedItems.Reading(secret: .tampered))
    #expect(try items.read(items.bob) == AttackedItems.Reading(secret: .tampered))
    #expect(try items.listingCode() == nil)
  }

  @Test("R-3: swapped attribute boxes are tampering when attributes are read")
  func swappedAttributes() throws {
    var (left, right) = (alice, bob)
    swap(&left.attributes, &right.attributes)
    for item in [left, right] { try items.raw.putBox(item) }
    #expect(try items.read(items.alice) == AttackedItems.Reading(item: .tampered))
    #expect(try items.read(items.bob) == AttackedItems.Reading(item: .tampered))
    #expect(try items.listingCode() == .tampered)
  }

  @Test("R-3: attributes and secret swapped inside a row are tampering")
  func swappedParts() throws {
    var edited = alice
    swap(&edited.attributes, &edited.secret)
    try items.raw.putBox(edited)
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .whole)
  }

  @Test("R-4: exchanged box rows are tampering")
  func exchangedBoxes() throws {
    var (left, right) = (alice, bob)
    swap(&left.box, &right.box)
    for item in [left, right] { try items.raw.putBox(item) }
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .tampered)
  }

  @Test("R-4: two claims that name one box are tampering of the page of the edited one")
  func sharedBox() throws {
    var edited = alice
    edited.box = bob.box
    try items.raw.putClaim(edited)
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .whole)
  }

  @Test("R-6: a class that would stay open while locked is tampering, locked or not")
  func widenedClass() throws {
    let widened = ClassByte.afterFirstUnlock.rawValue
    try items.raw.putClaim(alice.replacing(Claim.accessibilityOffset, with: [widened]))
    #expect(try items.read(items.alice) == .tampered)
    try items.withStore { store in
      store.lock()
      #expect(AttackedItems.Reading(items.alice, in: store) == .tampered)
    }
  }

  @Test(
    "R-7: a portable row made device-bound, with or without a device, is tampering",
    arguments: [0x01, 0x11] as [UInt8],
    [0x00, 0x77] as [UInt8]
  )
  func boundRow(accessibility: UInt8, device: UInt8) throws {
    var edited = alice.replacing(Claim.accessibilityOffset, with: [accessibility])
    edited = edited.replacing(
      Claim.deviceRange.lowerBound,
      with: [UInt8](repeating: device, count: 16)
    )
    try items.raw.putClaim(edited)
    #expect(try items.read(items.alice) == (edited == alice ? .whole : .tampered))
  }

  @Test("R-7: a device-bound row made portable, or another device's, is tampering")
  func unboundRow() throws {
    let carol = ItemIdentity(service: "carol.example.com")
    try items.withStore { store in
      try store.set(SecretBytes("bound"), for: carol, accessibility: .whenUnlockedThisDeviceOnly)
    }
    let row = try items.group.item(carol)
    let device = Claim.deviceRange.lowerBound
    let zeros = [UInt8](repeating: 0, count: 16)
    let edits = [
      row.replacing(Claim.accessibilityOffset, with: [0x01]),
      row.replacing(Claim.accessibilityOffset, with: [0x01]).replacing(device, with: zeros),
      row.replacing(device, with: zeros),
      row.replacing(device, with: [row.claim[device] ^ 1]),
      row.replacing(Claim.accessibilityOffset, with: [0x12]),
    ]
    for edited in edits {
      try items.raw.putClaim(edited)
      #expect(try items.read(carol) == .tampered)
    }
    try items.raw.putClaim(row)
    #expect(try items.read(carol) == .whole)
  }

  @Test("R-8: a toggled flag is tampering", arguments: [0x01, 0x02, 0x04, 0x08] as [UInt8])
  func toggledFlag(flag: UInt8) throws {
    try items.raw.putClaim(alice.replacing(Claim.flagsOffset, with: [flag]))
    #expect(try items.read(items.alice) == .tampered)
  }

  @Test("R-9: two rows of one lookup are tampering for both items")
  func sharedLookup() throws {
    // The table forbids it to SQL, so the bytes of the file are changed.
    var file = try items.vault.fileBytes()
    let places = file.indices.filter { file[$0...].starts(with: bob.lookup) }
    try #require(places.count == 1)
    file.replaceSubrange(places[0]..<(places[0] + 32), with: alice.lookup)
    try items.vault.replaceFile(with: file)
    #expect(try items.read(items.alice) == .tampered)
    #expect(try items.read(items.bob) == .tampered)
  }

  @Test("R-10: an item whose lookup was replaced is tampered with, and not missing")
  func hiddenItem() throws {
    try items.raw.deleteClaim(alice)
    let hidden = [UInt8](repeating: 0xa5, count: 32)
    try items.raw.putClaim(alice.replacing(Claim.lookupRange.lowerBound, with: hidden))
    #expect(try items.read(items.alice) == .tampered)
    // In the same page as well.
    try items.raw.execute("DELETE FROM claim WHERE lookup = ?", [.blob(hidden)])
    let near = Array(alice.lookup[..<31]) + [alice.lookup[31] ^ 1]
    try items.raw.putClaim(alice.replacing(Claim.lookupRange.lowerBound, with: near))
    #expect(try items.read(items.alice) == .tampered)
    try items.raw.execute("DELETE FROM claim WHERE lookup = ?", [.blob(near)])
    try items.raw.putClaim(alice)
    #expect(try items.read(items.alice) == .whole)
  }
}
