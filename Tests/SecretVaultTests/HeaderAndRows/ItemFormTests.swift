import SecretVault
import Testing
import VaultFormat

/// What secrets and names may be, and how much of them the file shows.
@Suite("The forms of secrets and names")
struct ItemFormTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let item = ItemIdentity(service: "example.com")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
  }

  @Test(
    "R-18: a secret of any size comes back, and its box tells a size class only",
    arguments: [
      (0, 112), (1, 112), (60, 112), (61, 176), (4_092, 4_144), (4_093, 8_240), (16_380, 16_448),
      (16_381, 20_544), (1_048_576, 1_053_744),
    ]
  )
  func sizes(byteCount: Int, boxByteCount: Int) throws {
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) }
    try store.set(SecretBytes(copying: bytes), for: item)
    #expect(try store.secret(for: item)?.copied(as: [UInt8].self) == bytes)
    #expect(try vault.raw().items()[0].secret.count == boxByteCount)
  }

  @Test("R-18: a secret of one byte too many is refused, and the former one stays")
  func tooLarge() throws {
    try store.set(SecretBytes("token"), for: item)
    let bytes = [UInt8](repeating: 1, count: 1_048_577)
    #expect(throws: VaultError(.limitExceeded)) {
      try store.set(SecretBytes(copying: bytes), for: item)
    }
    #expect(try store.secret(for: item)?.text == "token")
  }

  @Test("R-18: an item without a secret is not one with an empty secret")
  func absentSecret() throws {
    try store.add(SecretItem(identity: item), secret: nil)
    #expect(try store.secret(for: item) == nil)
    #expect(try store.item(for: item)?.hasNoSecret == true)
    try store.set(SecretBytes(""), for: item)
    #expect(try store.secret(for: item)?.count == 0)
  }

  /// Names that must not be taken for one another.
  private static let identities: [ItemIdentity] = [
    ItemIdentity(service: ""),
    ItemIdentity(service: "a"),
    ItemIdentity(service: "", account: "a"),
    ItemIdentity(service: "ab", account: "c"),
    ItemIdentity(service: "a", account: "bc"),
    ItemIdentity(service: "a", account: "bc", isSynchronizable: true),
    ItemIdentity(service: String(repeating: "s", count: 65_536)),
    ItemIdentity(service: "", account: String(repeating: "s", count: 65_536)),
    ItemIdentity(service: "nul\0inside", account: "nul\0"),
    ItemIdentity(service: "nul", account: "inside"),
    ItemIdentity(service: "\u{1f511}", account: "\u{202e}drowssap"),
    ItemIdentity(service: "\u{1f511}", account: "drowssap"),
    ItemIdentity(service: "caf\u{e9}"),
    ItemIdentity(service: "cafe\u{301}"),
    ItemIdentity(
      serviceValue: AttributeValue(data: [0xff, 0xfe, 0x00]),
      account: AttributeValue(data: [0xc3])
    ),
    ItemIdentity(server: ""),
    ItemIdentity(server: "a", account: "bc"),
    ItemIdentity(server: "a", account: "bc", port: 443),
    ItemIdentity(server: "a", account: "bc", path: "/"),
    ItemIdentity(server: "a", account: "bc", networkProtocol: "htps"),
  ]

  @Test("R-19: names of every form are different items, and come back byte for byte")
  func names() throws {
    for (number, identity) in Self.identities.enumerated() {
      try store.add(SecretItem(identity: identity), secret: SecretBytes("secret \(number)"))
    }
    for (number, identity) in Self.identities.enumerated() {
      #expect(try store.secret(for: identity)?.text == "secret \(number)")
      let found = try #require(try store.item(for: identity)).identity
      #expect(found.input == identity.input)
      #expect(found.service.form == identity.service.form)
      #expect(found.account.form == identity.account.form)
    }
    let listed = try store.items().items.map(\.identity.input)
    #expect(Set(listed) == Set(Self.identities.map(\.input)))
    #expect(listed.count == Self.identities.count)
  }

  @Test("R-19: text and data of the same bytes are one item, and it keeps the form it was given in")
  func formsOfOneName() throws {
    let data = ItemIdentity(
      serviceValue: AttributeValue(data: Array("a".utf8)),
      account: AttributeValue(data: [])
    )
    try store.add(SecretItem(identity: data), secret: SecretBytes("token"))
    #expect(throws: VaultError(.duplicateItem)) {
      try store.add(SecretItem(identity: ItemIdentity(service: "a")), secret: nil)
    }
    #expect(try store.item(for: ItemIdentity(service: "a"))?.identity.service.form == .data)
  }

  @Test("R-19: bytes that are no UTF-8 are not given out as text")
  func invalidText() throws {
    let identity = ItemIdentity(
      serviceValue: AttributeValue(data: [0xff, 0x61]),
      account: AttributeValue("a")
    )
    try store.set(SecretBytes(copying: [0xff]), for: identity)
    let found = try #require(try store.items().items.first).identity
    #expect(found.service.text == nil)
    #expect(found.service.bytes == [0xff, 0x61])
    #expect(try store.secret(for: identity)?.text == nil)
  }

  @Test("R-19: a name of one byte too many is refused, and so are two long ones together")
  func longNames() throws {
    let long = String(repeating: "s", count: 65_536)
    for identity in [
      ItemIdentity(service: long + "s"), ItemIdentity(service: "", account: long + "s"),
      ItemIdentity(service: long, account: long),
    ] {
      #expect(throws: VaultError(.limitExceeded)) {
        try store.set(SecretBytes("token"), for: identity)
      }
    }
    #expect(try store.items().items.isEmpty)
  }
}
