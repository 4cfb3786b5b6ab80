import SecretVault
import Testing

@Suite("Columns of another type or range")
struct StorageClassTests {
  private let vault: TemporaryVault

  /// A vault with one item, closed.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.write(1, "base")
    try store.closeDrained()
  }

  @Test(
    "D-7: in head, slots and groups it is a corrupt header, before any key is derived",
    arguments: [
      "UPDATE head SET record = CAST('VLT1' || hex(zeroblob(46)) AS TEXT)",
      "UPDATE head SET record = NULL", "UPDATE head SET record = 7",
      "UPDATE head SET state = 'text'", "UPDATE head SET state = NULL",
      "UPDATE slot SET record = CAST(hex(zeroblob(72)) AS TEXT)", "UPDATE slot SET record = 1.5",
      "UPDATE slot SET label = NULL",
      "UPDATE grp SET group_id = 'sixteen letters!'", "UPDATE grp SET record = NULL",
      "UPDATE grp SET counter = 'one'", "UPDATE grp SET counter = -1",
      "UPDATE grp SET counter = 0", "UPDATE grp SET counter = 9223372036854775807",
      "UPDATE grp SET counter = 1.5", "UPDATE grp SET tag = NULL",
      "UPDATE grp SET tag = hex(zeroblob(16))", "UPDATE grp SET name = 'default'",
      "UPDATE grp SET state = 1", "UPDATE grp SET branches = 'text'",
    ]
  )
  func header(_ statement: String) throws {
    try vault.editWithoutConstraints(statement)
    #expect(throws: VaultError(.corruptHeader)) { try vault.open() }
  }

  @Test(
    "D-7: in pages, claims and boxes it is tampering, when the row is needed",
    arguments: [
      "UPDATE page SET number = 'one'", "UPDATE page SET number = -1",
      "UPDATE page SET number = 4096", "UPDATE page SET items = 4294967297",
      "UPDATE page SET items = 0", "UPDATE page SET items = NULL",
      "UPDATE page SET tag = hex(zeroblob(16))", "UPDATE page SET group_id = 'group'",
      "UPDATE claim SET item_id = 'sixteen letters!'", "UPDATE claim SET kind = 257",
      "UPDATE claim SET kind = 'one'", "UPDATE claim SET class = 258",
      "UPDATE claim SET class = 'one'", "UPDATE claim SET flags = -1",
      "UPDATE claim SET device_id = NULL", "UPDATE claim SET version = -1",
      "UPDATE claim SET version = 1.5", "UPDATE claim SET lookup = 'text'",
      "UPDATE claim SET rev = NULL", "UPDATE claim SET box = NULL", "UPDATE claim SET box = -1",
      "UPDATE claim SET box = 9223372036854775807",
      "UPDATE box SET attributes = 'text'", "UPDATE box SET attributes = NULL",
      "UPDATE box SET attributes = zeroblob(200000)",
    ]
  )
  func rows(_ statement: String) throws {
    try vault.editWithoutConstraints(statement)
    let store = try vault.openUnlocked()
    #expect(throws: VaultError(.tampered)) { try store.items() }
    #expect(throws: VaultError(.tampered)) { try store.item(for: ItemIdentity(service: "base-0")) }
  }

  @Test(
    "D-7: a secret of another type or size is tampering, and the item can still be listed",
    arguments: [
      "UPDATE box SET secret = 'text'", "UPDATE box SET secret = NULL", "UPDATE box SET secret = 7",
      "UPDATE box SET secret = x''", "UPDATE box SET secret = zeroblob(111)",
      "UPDATE box SET secret = zeroblob(2000000)",
    ]
  )
  func secrets(_ statement: String) throws {
    try vault.editWithoutConstraints(statement)
    let store = try vault.openUnlocked()
    #expect(throws: VaultError(.tampered)) {
      try store.secret(for: ItemIdentity(service: "base-0"))
    }
    #expect(try store.items().items.count == 1)
  }
}
