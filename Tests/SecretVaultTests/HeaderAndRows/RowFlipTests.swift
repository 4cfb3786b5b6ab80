import SecretVault
import Testing
import VaultDatabase
import VaultFormat

/// One flipped bit in every byte of every column, each noticed where that part is first needed, and no
/// other part harmed.
@Suite("A flipped byte anywhere in the tables")
struct RowFlipTests {
  /// What an owner meets, from opening the file to checking it whole.
  private struct Outcome: Equatable {
    var opening: VaultError.Code?
    var unlocking: VaultError.Code?
    var isNamed = true
    var readings = [AttackedItems.Reading.whole, .whole]
    var listing: VaultError.Code?
    var isSound = true

    static let whole = Outcome()
    static func refused(_ code: VaultError.Code) -> Outcome { Outcome(opening: code) }
    static let tamperedGroup = Outcome(unlocking: .tampered)
    static let damagedName = Outcome(isNamed: false, isSound: false)
    /// One item cannot be read at all, and so no listing is whole.
    static func tamperedRow(_ item: Int) -> Outcome {
      var outcome = Outcome(listing: .tampered, isSound: false)
      outcome.readings[item] = .tampered
      return outcome
    }
    static func tamperedAttributes(_ item: Int) -> Outcome {
      var outcome = Outcome(listing: .tampered, isSound: false)
      outcome.readings[item].item = .tampered
      return outcome
    }
    static func tamperedSecret(_ item: Int) -> Outcome {
      var outcome = Outcome(isSound: false)
      outcome.readings[item].secret = .tampered
      return outcome
    }
    static let tamperedHistory = Outcome(isSound: false)
  }

  /// The columns of a table, in its order.
  private static let columns = [
    "head": ["one", "record", "state"],
    "slot": ["slot_id", "record", "label"],
    "grp": ["id", "group_id", "record", "counter", "tag", "name", "state", "branches"],
    "page": ["group_id", "number", "items", "tag"],
    "claim": [
      "group_id", "item_id", "kind", "class", "flags", "device_id", "version", "lookup", "rev",
      "box",
    ],
    "box": ["id", "attributes", "secret", "history"],
  ]

  private let items: AttackedItems
  /// The two items in the order of their claims, and what names them.
  private let rows: [RawItem]
  private let identities: [ItemIdentity]

  init() throws {
    items = try AttackedItems { store, credential in
      // A change of slots gives the head a state.
      let other = Credential.keyFile(contents: try Credential.makeKeyFile())
      try store.administration(with: credential).addSlot(SecretStore.NewSlot(other))
    }
    try items.withStore { [items] store in
      for identity in [items.alice, items.bob] {
        let changes = ItemChanges(versionsKept: 1)
        try store.set(SecretBytes("new"), for: identity, changing: changes)
      }
    }
    rows = try items.raw.items()
    let alice = try items.group.item(items.alice)
    identities = rows.map { [items] in $0.lookup == alice.lookup ? items.alice : items.bob }
    // So that an edit of one item's page or branch is none of the other's.
    try #require(Set(rows.map { $0.page >> 6 }).count == 2)
  }

  @Test(
    "R-1: a flipped byte of any column is noticed where it counts, and harms nothing else",
    arguments: ["head", "slot", "grp", "page", "claim", "box"]
  )
  func flippedByte(table: String) throws {
    let raw = items.raw
    let original = try raw.rows(of: table)
    let columns = try #require(Self.columns[table])
    try raw.execute("PRAGMA ignore_check_constraints = ON")
    for (row, values) in original.enumerated() {
      for (column, value) in values.enumerated() {
        for byte in value.bytes.indices {
          var edited = original
          edited[row][column] = value.flipping(bit: byte % 8, ofByte: byte)
          try raw.replace(table, with: edited)
          let expected = try expected(table, columns[column], byte, original[row])
          #expect(
            try outcome() == expected,
            "\(table), row \(row), \(columns[column]), byte \(byte)"
          )
        }
      }
    }
    try raw.replace(table, with: original)
    #expect(try outcome() == .whole)
  }

  private func expected(
    _ table: String,
    _ column: String,
    _ byte: Int,
    _ row: [RawVault.Value]
  ) throws -> Outcome {
    switch (table, column) {
    case ("head", "record"): headOutcome(ofByte: byte)
    case ("slot", "record") where byte == 0: .refused(.unsupportedVersion)
    case ("head", _), ("slot", _), ("grp", "group_id"), ("grp", "record"): .refused(.corruptHeader)
    case ("grp", "id"): .whole
    case ("grp", "name") where byte >= 24: .damagedName
    case ("grp", _): .tamperedGroup
    case ("page", _): .tamperedRow(try item { $0.page == row[1].integer })
    case ("claim", _): .tamperedRow(try item { $0.lookup == row[7].bytes })
    case (_, "attributes"): .tamperedAttributes(try item { $0.box == row[0].integer })
    case (_, "secret"): .tamperedSecret(try item { $0.box == row[0].integer })
    case (_, "history"): .tamperedHistory
    default: .tamperedRow(try item { $0.box == row[0].integer })
    }
  }

  private func headOutcome(ofByte byte: Int) -> Outcome {
    switch byte {
    case 0..<4: .refused(.notAVault)
    case 4..<8: .refused(.unsupportedVersion)
    case RawHead.adminTagRange: .tamperedGroup
    default: .refused(.corruptHeader)
    }
  }

  private func item(where isMeant: (RawItem) -> Bool) throws -> Int {
    let index = rows.firstIndex(where: isMeant)
    return try #require(index)
  }

  private func outcome() throws -> Outcome {
    let vault = items.vault
    if let code = vault.openingCode() { return .refused(code) }
    let store = try vault.open()
    defer { store.close() }
    if let code = TemporaryVault.code({ try store.unlock(with: vault.credential) }) {
      return Outcome(unlocking: code)
    }
    return Outcome(
      isNamed: store.openedGroups == ["default"],
      readings: identities.map { AttackedItems.Reading($0, in: store) },
      listing: TemporaryVault.code { _ = try store.items() },
      isSound: try store.administration(with: vault.credential).check().isSound
    )
  }
}
