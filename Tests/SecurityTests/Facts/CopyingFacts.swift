import Security
import Testing

/// Section 4.1 of the fact table: what `SecItemCopyMatching` returns.
@Suite("Facts of copying")
struct CopyingFacts {
  @Test("no limit, one and the number 1 give a single value")
  func single() throws {
    let keychain = try TestKeychain.withPasswords()
    let limits: [[String: Any]] = [[:], ["m_Limit": kSecMatchLimitOne], ["m_Limit": 1]]
    for limit in limits {
      let query = password("a", ["r_Data": true]).merging(limit) { $1 }
      #expect(keychain.copy(query).result as? Data == Data("a".utf8))
    }
  }

  @Test("all and a number from 2 on give an array, even of one")
  func arrays() throws {
    let keychain = try TestKeychain.withPasswords()
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
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.copy(password("a", ["m_Limit": 0])).status == errSecItemNotFound)
    for limit in ["all" as Any, true, Data(), -1] {
      #expect(keychain.copy(password("a", ["m_Limit": limit])).status == errSecParam)
    }
  }

  @Test("a single kind gives the thing itself, and none or a reference gives nothing")
  func singleKinds() throws {
    let keychain = try TestKeychain.withPasswords()
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
    let keychain = try TestKeychain.withPasswords()
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
    let keychain = try TestKeychain.withPasswords()
    let without = try keychain.attributes(of: password("a"))
    #expect(without["class"] == nil)
    let query = password("a", ["r_Attributes": true, "r_Ref": true])
    let with = try #require(keychain.copy(query).result as? [String: Any])
    #expect(with["class"] as? String == "genp")
  }

  @Test("the dictionary has every attribute, and the access control as an object")
  func wholeDictionary() throws {
    let keychain = try TestKeychain.withPasswords()
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
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.add(password("none")) == errSecSuccess)
    let single = keychain.copy(password("none", ["r_Data": true]))
    #expect(single.status == errSecSuccess && single.result == nil)
    let all = keychain.copy(["class": "genp", "r_Data": true, "m_Limit": "m_LimitAll"])
    #expect((all.result as? [Data])?.count == 3)
  }

  @Test("without a pointer for the result, a query says whether there is one")
  func existence() throws {
    let keychain = try TestKeychain.withPasswords()
    #expect(keychain.exists(password("a", ["r_Data": true])) == errSecSuccess)
    #expect(keychain.exists(password("z", ["r_Data": true])) == errSecItemNotFound)
  }
}
