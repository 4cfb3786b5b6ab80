import Security
import Testing

/// Sections 3.1 and 3.2 of the fact table: what `SecItemAdd` stores and returns.
@Suite("Facts of adding")
struct AddingFacts {
  @Test("the class is all that an add needs")
  func required() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["class": "genp"]) == errSecSuccess)
    #expect(keychain.add(["class": "inet"]) == errSecSuccess)
  }

  @Test("what is not given is whenUnlocked, the first group, not synchronizable, and made now")
  func defaults() throws {
    let keychain = try TestKeychain(groups: ["first", "second"])
    let start = Date()
    let old = Date(timeIntervalSince1970: 1_000_000)
    #expect(keychain.add(password("a", ["cdat": old, "mdat": old])) == errSecSuccess)
    let attributes = try keychain.attributes(of: password("a"))
    #expect(attributes["pdmn"] as? String == "ak")
    #expect(attributes["agrp"] as? String == "first")
    #expect(attributes["sync"] as? Int == 0)
    for key in ["cdat", "mdat"] {
      let date = try #require(attributes[key] as? Date)
      #expect(abs(date.timeIntervalSince(start)) < 60)
    }
  }

  @Test("an add for synchronizable items of any kind is local")
  func anySynchronizable() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["sync": kSecAttrSynchronizableAny])) == errSecSuccess)
    #expect(try keychain.attributes(of: password("a"))["sync"] as? Int == 0)
  }

  @Test("an item without a value has no value, and one with an empty value has it")
  func values() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("none")) == errSecSuccess)
    #expect(keychain.add(password("empty", ["v_Data": Data()])) == errSecSuccess)
    let kinds: [String: Any] = ["r_Attributes": true, "r_Data": true]
    let none = try #require(keychain.copy(password("none", kinds)).result as? [String: Any])
    #expect(none["v_Data"] == nil)
    #expect(none["acct"] as? String == "none")
    let empty = try #require(keychain.copy(password("empty", kinds)).result as? [String: Any])
    #expect(empty["v_Data"] as? Data == Data())
  }

  @Test("a value of 32 KiB and one of a megabyte are stored", arguments: [32_768, 1_000_000])
  func sizes(count: Int) throws {
    let keychain = try TestKeychain()
    let value = Data(repeating: 7, count: count)
    #expect(keychain.add(password("a", ["v_Data": value])) == errSecSuccess)
    #expect(try keychain.data(of: password("a")) == value)
  }

  @Test("the result of an add has the shape of what it asks for")
  func shapes() throws {
    let keychain = try TestKeychain()
    let value = Data("v".utf8)
    var results: [[String]: AnyObject] = [:]
    let mixes = [
      [], ["r_Data"], ["r_PersistentRef"], ["r_Attributes"], ["r_Ref"], ["r_Data", "r_Attributes"],
    ]
    for (index, mix) in mixes.enumerated() {
      let kinds = Dictionary(uniqueKeysWithValues: mix.map { ($0, true as Any) })
      let added = keychain.adding(password("\(index)", ["v_Data": value].merging(kinds) { $1 }))
      #expect(added.status == errSecSuccess)
      results[mix] = added.result
    }
    #expect(results[[]] == nil)
    #expect(results[["r_Data"]] as? Data == value)
    #expect((results[["r_PersistentRef"]] as? Data)?.count == 20)
    #expect((results[["r_Attributes"]] as? [String: Any])?["acct"] as? String == "3")
    #expect(results[["r_Ref"]] == nil)
    let both = try #require(results[["r_Data", "r_Attributes"]] as? [String: Any])
    #expect(both["v_Data"] as? Data == value)
    #expect(both["svce"] as? String == "service")
  }

  @Test("a persistent reference is the class and 16 bytes, and outlasts updates")
  func persistentReference() throws {
    let keychain = try TestKeychain()
    let added = keychain.adding(password("a", ["r_PersistentRef": true]))
    let reference = try #require(added.result as? Data)
    #expect(reference.prefix(4) == Data("genp".utf8))
    #expect(reference.count == 20)
    let changes: [String: Any] = ["acct": "b", "v_Data": Data("new".utf8), "pdmn": "ck"]
    #expect(keychain.update(password("a"), to: changes) == errSecSuccess)
    #expect(try keychain.data(of: ["v_PersistentRef": reference]) == Data("new".utf8))
    let again = keychain.copy(password("b", ["r_PersistentRef": true])).result as? Data
    #expect(again == reference)
  }
}
