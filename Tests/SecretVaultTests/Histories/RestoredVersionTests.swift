import SecretVault
import Testing

@Suite("An earlier secret that comes back")
struct RestoredVersionTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let item = ItemIdentity(service: "api.example.com", account: "alice")

  init() throws {
    vault = try TemporaryVault()
    store = try vault.create()
    for secret in ["1", "2", "3"] {
      let changes = ItemChanges(label: "label", versionsKept: 2)
      try store.set(SecretBytes(secret), for: item, changing: changes)
    }
  }

  private func earlier() throws -> [String?] {
    try store.history(of: item).map { try store.secret(of: item, version: $0.version)?.text }
  }

  @Test("is the present one, and the one that it replaces is an earlier one, in one commit")
  func oldest() throws {
    let before = try #require(try store.item(for: item))
    let oldest = try #require(try store.history(of: item).last)
    let counter = try vault.raw().execute("SELECT counter FROM grp")[0][0].integer
    try store.restoreVersion(oldest.version, of: item)
    #expect(try store.secret(for: item)?.text == "1")
    #expect(try earlier() == ["3", "2"])
    #expect(try store.history(of: item).first?.version == before.version)
    let after = try #require(try store.item(for: item))
    #expect(after.itemID == before.itemID)
    #expect(after.label == "label")
    #expect(after.version > before.version)
    #expect(try vault.raw().execute("SELECT counter FROM grp")[0][0].integer == counter + 1)
  }

  @Test("needs a version that the history has; else nothing changes")
  func unknownVersion() throws {
    let present = try #require(try store.item(for: item))
    for version in [0, present.version, present.version + 1, .max] {
      #expect(throws: VaultError(.itemNotFound)) { try store.restoreVersion(version, of: item) }
      #expect(try store.secret(of: item, version: version) == nil)
    }
    let missing = ItemIdentity(service: "missing")
    #expect(throws: VaultError(.itemNotFound)) { try store.restoreVersion(1, of: missing) }
    #expect(try store.secret(of: missing, version: 1) == nil)
    #expect(try store.secret(for: item)?.text == "3")
    #expect(try store.item(for: item)?.version == present.version)
  }

  @Test("while locked is refused as the secret is, and so is every look into the history")
  func locked() throws {
    let version = try #require(try store.history(of: item).first).version
    store.lock()
    #expect(throws: VaultError(.locked)) { try store.history(of: item) }
    #expect(throws: VaultError(.locked)) { try store.secret(of: item, version: version) }
    #expect(throws: VaultError(.locked)) { try store.restoreVersion(version, of: item) }
    try store.unlock(with: vault.credential)
    #expect(try earlier() == ["2", "1"])
  }

  @Test("of a class that stays open is to be had while locked")
  func openClass() throws {
    try store.update(item) { item, _ in item.accessibility = .afterFirstUnlock }
    store.lock()
    #expect(try earlier() == ["2", "1"])
    try store.restoreVersion(try #require(try store.history(of: item).last).version, of: item)
    #expect(try store.secret(for: item)?.text == "1")
  }

  @Test("is not given out where the present one has expired")
  func expired() throws {
    let version = try #require(try store.history(of: item).first).version
    try store.update(item) { item, _ in item.expires = Timestamp(millisecondsSince1970: 1) }
    #expect(throws: VaultError(.expired)) { try store.secret(of: item, version: version) }
    #expect(try store.history(of: item).count == 2)
  }
}
