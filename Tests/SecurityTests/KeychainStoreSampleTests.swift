import Security
import Testing

/// The small wrapper of the tutorials, which deletes and adds, keeps what it is given and loses nothing.
@Suite("A wrapper from a tutorial")
struct KeychainStoreSampleTests {
  private let store = SampleKeychainStore(service: "com.example.app")

  @Test("saves, reads and replaces a value")
  func saving() throws {
    try TestKeychain().use {
      #expect(try store.read(account: "alice") == nil)
      try store.save(Data("one".utf8), account: "alice")
      try store.save(Data("two".utf8), account: "alice")
      #expect(try store.read(account: "alice") == Data("two".utf8))
      #expect(try store.read(account: "bob") == nil)
    }
  }

  @Test("stores its items in the class that it names")
  func accessibility() throws {
    let keychain = try TestKeychain()
    try keychain.use { try store.save(Data("one".utf8), account: "alice") }
    let attributes = try keychain.attributes(of: ["class": "genp", "acct": "alice"])
    #expect(attributes["pdmn"] as? String == "cku")
  }

  @Test("reads while locked, throws before the first unlock, and loses nothing by that")
  func locked() throws {
    let keychain = try TestKeychain()
    try keychain.use { try store.save(Data("one".utf8), account: "alice") }
    keychain.lock()
    #expect(try keychain.use { try store.read(account: "alice") } == Data("one".utf8))
    keychain.lockAsBeforeFirstUnlock()
    let refusal = SampleKeychainError.status(errSecInteractionNotAllowed)
    #expect(throws: refusal) { try keychain.use { try store.read(account: "alice") } }
    #expect(throws: refusal) {
      try keychain.use { try store.save(Data("two".utf8), account: "alice") }
    }
    try keychain.unlock()
    #expect(try keychain.use { try store.read(account: "alice") } == Data("one".utf8))
  }
}
