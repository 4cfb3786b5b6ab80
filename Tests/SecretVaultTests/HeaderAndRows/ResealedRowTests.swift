import SecretVault
import Testing
import VaultDatabase
import VaultFormat

/// Boxes sealed with the right keys around contents that no writer of ours makes.
@Suite("Boxes of a dishonest key holder")
struct ResealedRowTests {
  private let items: AttackedItems
  private let alice: RawItem
  private let service = Array("api.example.com".utf8)
  private let account = Array("alice".utf8)

  init() throws {
    items = try AttackedItems()
    alice = try items.group.item(items.alice)
  }

  /// Puts attributes of these bytes in place of the ones of `alice`.
  private func putAttributes(_ list: [UInt8]) throws {
    var edited = alice
    edited.attributes = try items.group.seal(GroupInsider.padded(list), as: .attributes, of: alice)
    try items.raw.putBox(edited)
  }

  private func field(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
    var bytes = [tag]
    bytes.append(lengthPrefixed: value.span)
    return bytes
  }

  @Test("R-14: attributes that do not fit the lookup are tampering whenever they are opened")
  func mismatchedLookup() throws {
    try putAttributes(field(1, service) + field(2, account))
    #expect(try items.read(items.alice) == .whole)
    try putAttributes(field(1, service) + field(2, Array("mallory".utf8)))
    #expect(try items.read(items.alice) == AttackedItems.Reading(item: .tampered))
    #expect(try items.listingCode() == .tampered)
    #expect(try items.isSound() == false)
    try items.withStore { store in
      #expect(throws: VaultError(.tampered)) { try store.set(SecretBytes("new"), for: items.alice) }
    }
  }

  @Test(
    "R-15: another bucket, filling that is not zero, and a length beyond the end are tampering",
    arguments: [BoxPart.attributes, .secret]
  )
  func wrongPadding(part: BoxPart) throws {
    let honest = try items.group.open(part, of: alice)
    let half = honest.count / 2
    let length = honest[3]
    var filled = honest
    filled[honest.count - 1] = 1
    let paddings: [(name: String, bytes: [UInt8])] = [
      ("a bucket too large", honest + [UInt8](repeating: 0, count: honest.count)),
      ("a bucket too small", Array(honest[..<half])),
      ("no bucket at all", honest + [0]),
      ("filling", filled),
      ("a length beyond the end", [0, 0, 0, UInt8(honest.count - 3)] + honest[4...]),
      ("an absurd length", [0xff, 0xff, 0xff, length] + honest[4...]),
      ("half a length", [0, 0]),
      ("nothing", []),
    ]
    for padding in paddings {
      var edited = alice
      let box = try items.group.seal(padding.bytes, as: part, of: alice)
      if part == .attributes { edited.attributes = box } else { edited.secret = box }
      try items.raw.putBox(edited)
      let reading = try items.read(items.alice)
      #expect((part == .attributes ? reading.item : reading.secret) == .tampered, "\(padding.name)")
      #expect((part == .attributes ? reading.secret : reading.item) == nil, "\(padding.name)")
    }
  }

  @Test("R-16: a list with a tag twice, out of order, too long or missing is tampering")
  func malformedList() throws {
    let lists: [(name: String, bytes: [UInt8])] = [
      ("a tag twice", field(1, service) + field(2, account) + field(2, account)),
      ("descending tags", field(2, account) + field(1, service)),
      ("tag zero", field(0, []) + field(1, service) + field(2, account)),
      ("a length beyond the end", field(1, service) + field(2, account).dropLast()),
      ("an absurd length", field(1, service) + [2, 0xff, 0xff, 0xff, 0xff] + account),
      ("half a field", field(1, service) + field(2, account) + [3, 0]),
      ("no account", field(1, service)),
      ("no service", field(2, account)),
      ("nothing", []),
      ("a date of seven bytes", field(1, service) + field(2, account) + field(6, [1, 2, 3])),
    ]
    for list in lists {
      try putAttributes(list.bytes)
      #expect(
        try items.read(items.alice) == AttackedItems.Reading(item: .tampered),
        "\(list.name)"
      )
    }
  }

  @Test("R-16: a tag from 128 on makes that item unsupported, and nobody changes it")
  func criticalTag() throws {
    try putAttributes(field(1, service) + field(2, account) + field(128, [7]))
    let box = try items.group.item(items.alice)
    #expect(try items.read(items.alice) == AttackedItems.Reading(item: .unsupportedVersion))
    try items.withStore { store in
      let listing = try store.items()
      #expect(listing.items.map(\.identity.account) == [items.bob.account])
      #expect(listing.unsupportedCount == 1)
      #expect(throws: VaultError(.unsupportedVersion)) {
        try store.set(SecretBytes("new"), for: items.alice)
      }
      try store.set(SecretBytes("new"), for: items.bob)
    }
    #expect(try items.group.item(items.alice) == box)
    #expect(try items.isSound())
  }

  @Test("R-16: an unknown tag below 128 does not hinder reading, and a change of the item keeps it")
  func unknownTag() throws {
    let unknown = field(60, Array("kept".utf8))
    try putAttributes(field(1, service) + field(2, account) + unknown)
    #expect(try items.read(items.alice) == .whole)
    try items.withStore { try $0.set(SecretBytes("new"), for: items.alice, label: "new label") }
    let padded = try items.group.open(.attributes, of: try items.group.item(items.alice))
    let place = padded.indices.first { padded[$0...].starts(with: unknown) }
    #expect(place != nil)
    #expect(padded != (try items.group.open(.attributes, of: alice)))
  }

  @Test("R-16: a row of a reserved kind is kept and not shown")
  func reservedKind() throws {
    var reserved = alice.replacing(Claim.kindOffset, with: [3])
    reserved = reserved.replacing(
      Claim.lookupRange.lowerBound,
      with: [UInt8](repeating: 0x5a, count: 32)
    )
    reserved.box = 1_000
    try items.raw.putBox(reserved)
    try items.raw.putClaim(reserved)
    try items.group.sign()
    #expect(try items.read(items.alice) == .whole)
    #expect(try items.withStore { try $0.items().items.count } == 2)
    try items.withStore { try $0.set(SecretBytes("new"), for: items.alice) }
    #expect(try items.raw.items().contains(reserved))
  }

  @Test(
    "R-16: a state field of a newer version counts where it was signed, and else is tampering",
    arguments: [60, 64, 128] as [UInt8]
  )
  func newerState(tag: UInt8) throws {
    let state = try items.raw.execute("SELECT state FROM grp")[0][0].bytes + field(tag, [7])
    try items.raw.execute("UPDATE grp SET state = ?", [.blob(state)])
    #expect(try items.vault.unlockingCode() == .tampered)
    try items.group.sign()
    let isRefused = tag >= 128
    #expect(try items.vault.unlockingCode() == (isRefused ? .unsupportedVersion : nil))
    if isRefused { return }
    #expect(try items.read(items.alice) == .whole)
    try items.withStore { store in
      let code = TemporaryVault.code { try store.set(SecretBytes("new"), for: items.alice) }
      #expect(code == (tag >= 64 ? .unsupportedVersion : nil))
    }
    let kept = try items.raw.execute("SELECT state FROM grp")[0][0].bytes
    #expect(kept.suffix(6) == field(tag, [7])[...])
  }
}
