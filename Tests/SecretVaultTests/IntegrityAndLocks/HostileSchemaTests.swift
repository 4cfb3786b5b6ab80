import Glibc
import SecretVault
import TestSupport
import Testing
import VaultFormat

@Suite("A schema that somebody changed")
struct HostileSchemaTests {
  private let vault: TemporaryVault

  /// A vault with three items, closed.
  init() throws {
    vault = try TemporaryVault()
    let store = try vault.create()
    try store.write(3, "base")
    try store.closeDrained()
  }

  private static func rewriting(_ table: String, _ old: String, _ new: String) -> String {
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') WHERE name = '\(table)'
    """
  }

  private static let changes = [
    "CREATE TRIGGER extra AFTER UPDATE ON claim BEGIN DELETE FROM box; END",
    "CREATE VIEW extra AS SELECT * FROM box",
    "CREATE INDEX extra ON claim (box)",
    "CREATE TABLE extra (value BLOB)",
    "CREATE VIRTUAL TABLE extra USING fts5(value)",
    "ALTER TABLE box ADD COLUMN extra INTEGER GENERATED ALWAYS AS (length(secret))",
    "ALTER TABLE box ADD COLUMN extra BLOB",
    "DROP TABLE log",
    "ANALYZE",
    "ALTER TABLE claim RENAME TO hidden; CREATE VIEW claim AS SELECT * FROM hidden",
    rewriting("head", "one = 1", "one < 9"),
    rewriting("box", "attributes BLOB NOT NULL, secret", "secret BLOB NOT NULL, attributes"),
    rewriting("claim", "(group_id, lookup)", "(lookup, group_id)"),
    rewriting("box", ") STRICT", ")"),
    rewriting("box", "history BLOB", "history  BLOB"),
    rewriting("log", "log", "LOG"),
  ]

  @Test("D-1: a vault with any other schema is no vault", arguments: changes)
  func refused(_ change: String) throws {
    try vault.edit(change)
    #expect(throws: VaultError(.notAVault)) { try vault.open() }
    #expect(try RawDatabase(vault.path).rows("SELECT count(*) FROM box") == ["3"])
  }

  @Test("D-1: a store that is open refuses a new connection to a changed schema")
  func refusedLater() throws {
    let store = try vault.openUnlocked()
    try vault.edit("CREATE TABLE extra (value BLOB)")
    #expect(throws: VaultError(.notAVault)) { try store.administration(with: vault.credential) }
  }

  @Test("D-1: a trigger that is put behind an open store does not run")
  func triggerBehindStore() throws {
    let store = try vault.openUnlocked()
    try store.write(1, "before")
    for event in ["INSERT ON box", "UPDATE ON grp", "INSERT ON claim"] {
      let name = event.filter { $0 != " " }
      try vault.edit("CREATE TRIGGER \(name) AFTER \(event) BEGIN DELETE FROM slot; END")
    }
    try store.write(1, "after")
    #expect(try store.secret(for: ItemIdentity(service: "after-0"))?.text == "secret")
    #expect(try RawDatabase(vault.path).rows("SELECT count(*) FROM slot") == ["1"])
  }

  @Test(
    "D-2: a claim whose lookup belongs to no page is nobody's, and its own page is tampered with"
  )
  func lookupOutsidePage() throws {
    let claim = try #require(try RawDatabase(vault.path).claims().first)
    // The first twelve bits are the page's number.
    var moved = claim.lookup.array
    moved[0] ^= 0x80
    try vault.edit("UPDATE claim SET lookup = \(moved.sql) WHERE box = \(claim.box)")
    let store = try vault.openUnlocked()
    #expect(throws: VaultError(.tampered)) { try store.items() }
    let answers = try (0..<3).map { number in
      do {
        return try store.secret(for: ItemIdentity(service: "base-\(number)"))?.text ?? "none"
      } catch let error as VaultError {
        return error.code.name
      }
    }
    #expect(answers.sorted() == ["secret", "secret", "tampered"])
  }

  @Test(
    "D-10: a statement in a name, a label or a secret is a value and nothing else",
    arguments: [
      "'; ATTACH 'PATH' AS other; --", "x'); SELECT load_extension('PATH'); --",
      "\"; PRAGMA writable_schema = ON; DROP TABLE box; --",
    ]
  )
  func statements(_ pattern: String) throws {
    let other = vault.folder + "/other"
    let text = pattern.replacing("PATH", with: other)
    let store = try vault.openUnlocked()
    let identity = ItemIdentity(service: text, account: text)
    try store.set(SecretBytes(text), for: identity, label: text)
    #expect(try store.items(matching: ItemQuery(service: AttributeValue(text))).items.count == 1)
    #expect(try store.secret(for: identity)?.text == text)
    store.close()
    #expect(unsafe access(other, F_OK) != 0)
    try vault.requireSound(vault.openUnlocked(), itemCount: 4)
  }
}
