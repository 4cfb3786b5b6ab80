import Security
import TestSupport
import Testing

/// Sections 4.2 to 4.5 of the fact table: what a query of `SecItemCopyMatching` finds, and what stops it.
@Suite("Facts of queries")
struct QueryFacts {
  @Test("a query that does not mention synchronizable finds local items only, and any finds both")
  func synchronizable() throws {
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.add(password("synced", ["sync": true])) == errSecSuccess)
    #expect(keychain.copy(password("synced")).status == errSecItemNotFound)
    #expect(keychain.copy(password("synced", ["sync": true])).status == errSecSuccess)
    #expect(keychain.copy(password("synced", ["sync": "syna"])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["sync": "syna"])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["sync": true])).status == errSecItemNotFound)
  }

  @Test("an access control and a value in a query filter nothing, but must be what they are")
  func noFilters() throws {
    let keychain = try TestKeychain.withPasswords()
    let control = try accessControl("cku")
    #expect(keychain.copy(password("a", ["accc": control])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["v_Data": Data("other".utf8)])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["v_Data": "other"])).status == errSecParam)
    #expect(keychain.copy(password("a", ["accc": "other"])).status == errSecParam)
  }

  @Test("a date in a query is an exact filter")
  func dates() throws {
    let keychain = try TestKeychain.withPasswords()
    let attributes = try keychain.attributes(of: password("a"))
    for key in ["cdat", "mdat"] {
      let date = try #require(attributes[key] as? Date)
      #expect(keychain.copy(password("a", [key: date])).status == errSecSuccess)
      let later = date.addingTimeInterval(1)
      #expect(keychain.copy(password("a", [key: later])).status == errSecItemNotFound)
    }
  }

  @Test("a persistent reference is enough, synchronizable or not, and takes no other attribute")
  func references() throws {
    let keychain = try TestKeychain.withPasswords()
    let added = keychain.adding(password("s", ["sync": true, "r_PersistentRef": true]))
    let reference = try #require(added.result as? Data)
    #expect(keychain.copy(["v_PersistentRef": reference]).status == errSecSuccess)
    let query: [String: Any] = ["class": "genp", "v_PersistentRef": reference]
    #expect(keychain.copy(query).status == errSecSuccess)
    #expect(keychain.copy(query.merging(["acct": "s"]) { $1 }).status == errSecParam)
    #expect(keychain.copy(query.merging(["class": "inet"]) { $1 }).status == errSecNoSuchClass)
    #expect(keychain.copy(["v_PersistentRef": Data(count: 3)]).status == errSecParam)
  }

  @Test("a policy, issuers or a list of items are not for passwords")
  func foreignMatches() throws {
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.copy(password("a", ["m_Policy": "x"])).status == errSecUnimplemented)
    #expect(keychain.copy(password("a", ["m_Issuers": ["x"]])).status == errSecUnimplemented)
    #expect(keychain.copy(password("a", ["u_ItemList": ["x"]])).status == errSecParam)
  }

  @Test("no class is a wrong parameter, and an empty query is never everything")
  func emptyQuery() throws {
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.copy([:]).status == errSecParam)
    #expect(keychain.copy(["m_Limit": "m_LimitAll", "r_Data": true]).status == errSecParam)
    #expect(keychain.delete([:]) == errSecParam)
    #expect(keychain.update([:], to: ["labl": "x"]) == errSecParam)
  }

  @Test("what is not there is not found, locked or not; what is there and locked is not allowed")
  func lockedOrAbsent() throws {
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.copy(password("z")).status == errSecItemNotFound)
    keychain.lock()
    #expect(keychain.copy(password("z")).status == errSecItemNotFound)
    #expect(keychain.copy(password("a")).status == errSecInteractionNotAllowed)
    #expect(keychain.copy(password("a", ["r_Data": true])).status == errSecInteractionNotAllowed)
  }

  @Test("one locked item stops a query for all, and a query by accessibility goes around it")
  func lockedAmongAll() throws {
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.add(password("open", ["pdmn": "ck"])) == errSecSuccess)
    keychain.lock()
    let all: [String: Any] = ["class": "genp", "r_Attributes": true, "m_Limit": "m_LimitAll"]
    let stopped = keychain.copy(all)
    #expect(stopped.status == errSecInteractionNotAllowed && stopped.result == nil)
    let around = keychain.copy(all.merging(["pdmn": "ck"]) { $1 })
    #expect((around.result as? [[String: Any]])?.count == 1)
  }

  @Test("a query that has what it wants is not stopped by other locked items")
  func finiteLimit() throws {
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.add(password("open", ["pdmn": "ck"])) == errSecSuccess)
    keychain.lock()
    #expect(keychain.copy(password("open")).status == errSecSuccess)
  }

  @Test("the keychain of files is not here: what it ignores is obeyed")
  func oneKeychain() throws {
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.copy(password("a", ["pdmn": "ck"])).status == errSecItemNotFound)
    #expect(keychain.copy(password("a", ["agrp": "foreign"])).status == errSecMissingEntitlement)
    let all: [String: Any] = ["class": "genp", "r_Data": true, "m_Limit": "m_LimitAll"]
    #expect(keychain.copy(all).status == errSecSuccess)
  }

  @Test("a damaged vault is errSecDecode, and loses nothing")
  func damage() throws {
    let keychain = try TestKeychain.withPasswords()
    let file = try RawDatabase(keychain.path)
    try file.execute("UPDATE box SET secret = randomblob(length(secret))")
    #expect(keychain.copy(password("a", ["r_Data": true])).status == errSecDecode)
    #expect(keychain.update(password("a"), to: ["labl": "new"]) == errSecDecode)
    #expect(keychain.add(password("a")) == errSecDuplicateItem)
    #expect(try keychain.attributes(of: password("a"))["labl"] as? String == "label of a")
    #expect(try file.rows("SELECT count(*) FROM claim") == ["3"])
    try file.execute("UPDATE claim SET group_id = randomblob(16)")
    let again = try TestKeychain(reopening: keychain, groups: ["default"])
    #expect(again.copy(password("a")).status == errSecDecode)
    #expect(try file.rows("SELECT count(*) FROM claim") == ["3"])
  }
}
