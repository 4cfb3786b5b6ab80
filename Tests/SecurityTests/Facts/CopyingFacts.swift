import Security
import TestSupport
import Testing

/// Section 4 of the fact table: `SecItemCopyMatching`.
@Suite("Facts of copying")
struct CopyingFacts {
  private func keychain() throws -> TestKeychain {
    let keychain = try TestKeychain()
    for account in ["a", "b", "c"] {
      let item = password(account, ["v_Data": Data(account.utf8), "labl": "label of \(account)"])
      #expect(keychain.add(item) == errSecSuccess)
    }
    return keychain
  }

  @Test("no limit, one and the number 1 give a single value")
  func single() throws {
    let keychain = try keychain()
    let limits: [[String: Any]] = [[:], ["m_Limit": kSecMatchLimitOne], ["m_Limit": 1]]
    for limit in limits {
      let query = password("a", ["r_Data": true]).merging(limit) { $1 }
      #expect(keychain.copy(query).result as? Data == Data("a".utf8))
    }
  }

  @Test("all and a number from 2 on give an array, even of one")
  func arrays() throws {
    let keychain = try keychain()
    for limit in [kSecMatchLimitAll as Any, 2, 100] {
      let query = password("a", ["r_Data": true, "m_Limit": limit])
      #expect(keychain.copy(query).result as? [Data] == [Data("a".utf8)])
    }
    let two = keychain.copy(["class": "genp", "r_Data": true, "m_Limit": 2]).result
    #expect((two as? [Data])?.count == 2)
    let all = keychain.copy(["class": "genp", "r_Data": true, "m_Limit": "m_LimitAll"]).result
    #expect((all as? [Data]).map(Set.init) == Set(["a", "b", "c"].map { Data($0.utf8) }))
  }

  @Test("the limit 0 finds nothing, and one of another type is a wrong parameter")
  func otherLimits() throws {
    let keychain = try keychain()
    #expect(keychain.copy(password("a", ["m_Limit": 0])).status == errSecItemNotFound)
    for limit in ["all" as Any, true, Data(), -1] {
      #expect(keychain.copy(password("a", ["m_Limit": limit])).status == errSecParam)
    }
  }

  @Test("a single kind gives the thing itself, and none or a reference gives nothing")
  func singleKinds() throws {
    let keychain = try keychain()
    let none = keychain.copy(password("a"))
    #expect(none.status == errSecSuccess && none.result == nil)
    #expect(keychain.copy(password("a", ["r_Data": true])).result is Data)
    let attributes = keychain.copy(password("a", ["r_Attributes": true])).result
    #expect((attributes as? [String: Any])?["acct"] as? String == "a")
    #expect((keychain.copy(password("a", ["r_PersistentRef": true])).result as? Data)?.count == 20)
    let reference = keychain.copy(password("a", ["r_Ref": true]))
    #expect(reference.status == errSecSuccess && reference.result == nil)
  }

  @Test("a mix of kinds gives one dictionary with what was asked for and no more")
  func mixes() throws {
    let keychain = try keychain()
    func entries(_ kinds: String...) throws -> [String: Any] {
      let asked = Dictionary(uniqueKeysWithValues: kinds.map { ($0, true as Any) })
      return try #require(keychain.copy(password("a", asked)).result as? [String: Any])
    }
    let data = try entries("r_Data", "r_Attributes")
    #expect(data["v_Data"] as? Data == Data("a".utf8))
    #expect(data["labl"] as? String == "label of a")
    #expect(data["v_PersistentRef"] == nil)
    let references = try entries("r_Data", "r_PersistentRef")
    #expect(Set(references.keys) == ["v_Data", "v_PersistentRef"])
    let attributes = try entries("r_Attributes", "r_PersistentRef")
    #expect((attributes["v_PersistentRef"] as? Data)?.count == 20)
    #expect(attributes["v_Data"] == nil)
  }

  @Test("the class is in a result only where a reference was asked for")
  func classInResult() throws {
    let keychain = try keychain()
    let without = try keychain.attributes(of: password("a"))
    #expect(without["class"] == nil)
    let query = password("a", ["r_Attributes": true, "r_Ref": true])
    let with = try #require(keychain.copy(query).result as? [String: Any])
    #expect(with["class"] as? String == "genp")
  }

  @Test("the dictionary has every attribute, and the access control as an object")
  func wholeDictionary() throws {
    let keychain = try keychain()
    let attributes = try keychain.attributes(of: password("a"))
    let expected: Set = ["acct", "svce", "agrp", "pdmn", "accc", "sync", "cdat", "mdat", "labl"]
    #expect(Set(attributes.keys).isSuperset(of: expected))
    #expect(attributes["accc"] is SecAccessControl)
    #expect(attributes["sync"] as? Int == 0)
    #expect(attributes["sync"] as? Bool == false)
    #expect(attributes["cdat"] is Date)
  }

  @Test("of an item without a value, only the value is a success without a result")
  func withoutValue() throws {
    let keychain = try keychain()
    #expect(keychain.add(password("none")) == errSecSuccess)
    let single = keychain.copy(password("none", ["r_Data": true]))
    #expect(single.status == errSecSuccess && single.result == nil)
    let all = keychain.copy(["class": "genp", "r_Data": true, "m_Limit": "m_LimitAll"])
    #expect((all.result as? [Data])?.count == 3)
  }

  @Test("without a pointer for the result, a query says whether there is one")
  func existence() throws {
    let keychain = try keychain()
    #expect(keychain.exists(password("a", ["r_Data": true])) == errSecSuccess)
    #expect(keychain.exists(password("z", ["r_Data": true])) == errSecItemNotFound)
  }

  @Test("a query that does not mention synchronizable finds local items only, and any finds both")
  func synchronizable() throws {
    let keychain = try keychain()
    #expect(keychain.add(password("synced", ["sync": true])) == errSecSuccess)
    #expect(keychain.copy(password("synced")).status == errSecItemNotFound)
    #expect(keychain.copy(password("synced", ["sync": true])).status == errSecSuccess)
    #expect(keychain.copy(password("synced", ["sync": "syna"])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["sync": "syna"])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["sync": true])).status == errSecItemNotFound)
  }

  @Test("an access control and a value in a query filter nothing, but must be what they are")
  func noFilters() throws {
    let keychain = try keychain()
    let control = try accessControl("cku")
    #expect(keychain.copy(password("a", ["accc": control])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["v_Data": Data("other".utf8)])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["v_Data": "other"])).status == errSecParam)
    #expect(keychain.copy(password("a", ["accc": "other"])).status == errSecParam)
  }

  @Test("a date in a query is an exact filter")
  func dates() throws {
    let keychain = try keychain()
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
    let keychain = try keychain()
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
    let keychain = try keychain()
    #expect(keychain.copy(password("a", ["m_Policy": "x"])).status == errSecUnimplemented)
    #expect(keychain.copy(password("a", ["m_Issuers": ["x"]])).status == errSecUnimplemented)
    #expect(keychain.copy(password("a", ["u_ItemList": ["x"]])).status == errSecParam)
  }

  @Test("no class is a wrong parameter, and an empty query is never everything")
  func emptyQuery() throws {
    let keychain = try keychain()
    #expect(keychain.copy([:]).status == errSecParam)
    #expect(keychain.copy(["m_Limit": "m_LimitAll", "r_Data": true]).status == errSecParam)
    #expect(keychain.delete([:]) == errSecParam)
    #expect(keychain.update([:], to: ["labl": "x"]) == errSecParam)
  }

  @Test("what is not there is not found, locked or not; what is there and locked is not allowed")
  func lockedOrAbsent() throws {
    let keychain = try keychain()
    #expect(keychain.copy(password("z")).status == errSecItemNotFound)
    keychain.lock()
    #expect(keychain.copy(password("z")).status == errSecItemNotFound)
    #expect(keychain.copy(password("a")).status == errSecInteractionNotAllowed)
    #expect(keychain.copy(password("a", ["r_Data": true])).status == errSecInteractionNotAllowed)
  }

  @Test("one locked item stops a query for all, and a query by accessibility goes around it")
  func lockedAmongAll() throws {
    let keychain = try keychain()
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
    let keychain = try keychain()
    #expect(keychain.add(password("open", ["pdmn": "ck"])) == errSecSuccess)
    keychain.lock()
    #expect(keychain.copy(password("open")).status == errSecSuccess)
  }

  @Test("the keychain of files is not here: what it ignores is obeyed")
  func oneKeychain() throws {
    let keychain = try keychain()
    #expect(keychain.copy(password("a", ["pdmn": "ck"])).status == errSecItemNotFound)
    #expect(keychain.copy(password("a", ["agrp": "foreign"])).status == errSecMissingEntitlement)
    let all: [String: Any] = ["class": "genp", "r_Data": true, "m_Limit": "m_LimitAll"]
    #expect(keychain.copy(all).status == errSecSuccess)
  }

  @Test("a damaged vault is errSecDecode, and loses nothing")
  func damage() throws {
    let keychain = try keychain()
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
