import Security
import Testing

/// Section 5 of the fact table: `SecItemUpdate` and `SecItemDelete`.
@Suite("Facts of updating and deleting")
struct ChangingFacts {
  private func keychain() throws -> TestKeychain {
    let keychain = try TestKeychain(groups: ["one", "two"])
    for account in ["a", "b"] {
      let item = password(account, ["v_Data": Data(account.utf8), "labl": "old"])
      #expect(keychain.add(item) == errSecSuccess)
    }
    return keychain
  }

  @Test("an update changes every match")
  func updateMany() throws {
    let keychain = try keychain()
    #expect(keychain.update(["class": "genp"], to: ["labl": "new"]) == errSecSuccess)
    for account in ["a", "b"] {
      #expect(try keychain.attributes(of: password(account))["labl"] as? String == "new")
      #expect(try keychain.data(of: password(account)) == Data(account.utf8))
    }
  }

  @Test("a match key in an update or a delete is a wrong parameter, and changes nothing")
  func matchKeys() throws {
    let keychain = try keychain()
    let matches: [[String: Any]] = [
      ["m_Limit": kSecMatchLimitOne], ["m_Limit": kSecMatchLimitAll], ["m_Limit": 1],
      ["m_CaseInsensitive": true],
    ]
    for match in matches {
      #expect(keychain.update(password("a", match), to: ["labl": "new"]) == errSecParam)
      #expect(keychain.delete(password("a", match)) == errSecParam)
    }
    #expect(try keychain.attributes(of: password("a"))["labl"] as? String == "old")
  }

  @Test("a return key that is true is a wrong parameter in an update, and ignored in a delete")
  func returnKeys() throws {
    let keychain = try keychain()
    #expect(keychain.update(password("a", ["r_Data": true]), to: ["labl": "x"]) == errSecParam)
    #expect(keychain.update(password("a", ["r_Data": false]), to: ["labl": "x"]) == errSecSuccess)
    #expect(keychain.delete(password("a", ["r_Data": true])) == errSecSuccess)
  }

  @Test("no match is not found, for both")
  func noMatch() throws {
    let keychain = try keychain()
    #expect(keychain.update(password("z"), to: ["labl": "x"]) == errSecItemNotFound)
    #expect(keychain.delete(password("z")) == errSecItemNotFound)
  }

  @Test("every attribute may change, also those that name the item")
  func whatMayChange() throws {
    let keychain = try keychain()
    let changes: [String: Any] = [
      "acct": "new", "svce": "other", "agrp": "two", "labl": "label", "pdmn": "ck", "sync": true,
      "gena": Data([1]), "type": 3, "v_Data": Data("value".utf8),
    ]
    #expect(keychain.update(password("a"), to: changes) == errSecSuccess)
    #expect(keychain.copy(password("a")).status == errSecItemNotFound)
    let query: [String: Any] = ["class": "genp", "acct": "new", "svce": "other", "sync": true]
    let attributes = try keychain.attributes(of: query)
    #expect(attributes["agrp"] as? String == "two")
    #expect(attributes["labl"] as? String == "label")
    #expect(attributes["pdmn"] as? String == "ck")
    #expect(attributes["type"] as? Int == 3)
    #expect(try keychain.data(of: query) == Data("value".utf8))
  }

  @Test("what is not mentioned is kept")
  func whatIsKept() throws {
    let keychain = try TestKeychain(groups: ["one", "two"])
    let item = password("a", ["agrp": "two", "sync": true, "pdmn": "ck", "v_Data": Data("x".utf8)])
    #expect(keychain.add(item) == errSecSuccess)
    let query = password("a", ["sync": true])
    let before = try keychain.attributes(of: query)
    #expect(keychain.update(query, to: ["labl": "new"]) == errSecSuccess)
    let after = try keychain.attributes(of: query)
    for key in ["agrp", "pdmn", "acct", "svce"] {
      #expect(after[key] as? String == before[key] as? String)
    }
    #expect(after["sync"] as? Int == 1)
    #expect(after["cdat"] as? Date == before["cdat"] as? Date)
    #expect(try keychain.data(of: query) == Data("x".utf8))
  }

  @Test("the second dictionary takes no class, match or return, and no value of another type")
  func secondDictionary() throws {
    let keychain = try keychain()
    for (key, value) in [("class", "genp" as Any), ("r_Data", true), ("m_Limit", "m_LimitOne")] {
      #expect(keychain.update(password("a"), to: [key: value]) == errSecNoSuchAttr)
    }
    for pair in [["v_Data": "text"], ["acct": NSNull()], ["labl": NSNull()]] as [[String: Any]] {
      #expect(keychain.update(password("a"), to: pair) == errSecParam)
    }
    #expect(keychain.update(password("a"), to: ["srvr": "x"]) == errSecNoSuchAttr)
  }

  @Test("a new group must be the client's")
  func newGroup() throws {
    let keychain = try keychain()
    let status = keychain.update(password("a"), to: ["agrp": "foreign"])
    #expect(status == errSecMissingEntitlement)
    #expect(try keychain.attributes(of: password("a"))["agrp"] as? String == "one")
  }

  @Test("an update moves the modification on, also when it changes nothing, and keeps the creation")
  func dates() throws {
    let keychain = try keychain()
    var last = try keychain.attributes(of: password("a"))
    for changes in [["labl": "x"], [:], [:]] as [[String: Any]] {
      #expect(keychain.update(password("a"), to: changes) == errSecSuccess)
      let next = try keychain.attributes(of: password("a"))
      let modified = try #require(next["mdat"] as? Date)
      let former = try #require(last["mdat"] as? Date)
      #expect(modified.timeIntervalSince(former) >= 0.0009)
      #expect(next["cdat"] as? Date == last["cdat"] as? Date)
      last = next
    }
    let created = Date(timeIntervalSince1970: 1_000_000_000)
    #expect(keychain.update(password("a"), to: ["cdat": created]) == errSecSuccess)
    #expect(try keychain.attributes(of: password("a"))["cdat"] as? Date == created)
  }

  @Test("an update or a delete without synchronizable leaves synchronizable items alone")
  func synchronizable() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("s", ["sync": true])) == errSecSuccess)
    #expect(keychain.update(password("s"), to: ["labl": "x"]) == errSecItemNotFound)
    #expect(keychain.delete(password("s")) == errSecItemNotFound)
    #expect(keychain.delete(["class": "genp"]) == errSecItemNotFound)
    #expect(keychain.update(password("s", ["sync": "syna"]), to: ["labl": "x"]) == errSecSuccess)
    #expect(keychain.delete(password("s", ["sync": "syna"])) == errSecSuccess)
  }

  @Test("a locked item is neither updated nor deleted, and nothing is lost")
  func locked() throws {
    let keychain = try keychain()
    keychain.lock()
    let changes: [String: Any] = ["v_Data": Data("new".utf8)]
    #expect(keychain.update(password("a"), to: changes) == errSecInteractionNotAllowed)
    #expect(keychain.delete(password("a")) == errSecInteractionNotAllowed)
    #expect(keychain.delete(["class": "genp"]) == errSecInteractionNotAllowed)
    #expect(keychain.update(password("z"), to: changes) == errSecItemNotFound)
    #expect(keychain.delete(password("z")) == errSecItemNotFound)
    try keychain.unlock()
    #expect(try keychain.data(of: password("a")) == Data("a".utf8))
  }

  @Test("a persistent reference with other attributes finds what both name")
  func references() throws {
    let keychain = try keychain()
    let copied = keychain.copy(password("a", ["r_PersistentRef": true])).result
    let reference = try #require(copied as? Data)
    let other: [String: Any] = ["v_PersistentRef": reference, "acct": "b"]
    #expect(keychain.update(other, to: ["labl": "x"]) == errSecItemNotFound)
    #expect(keychain.delete(other) == errSecItemNotFound)
    let both: [String: Any] = ["v_PersistentRef": reference, "acct": "a"]
    #expect(keychain.update(both, to: ["labl": "y"]) == errSecSuccess)
    let alone: [String: Any] = ["v_PersistentRef": reference]
    #expect(keychain.update(alone, to: ["labl": "x"]) == errSecSuccess)
    #expect(try keychain.attributes(of: password("a"))["labl"] as? String == "x")
    #expect(keychain.delete(alone) == errSecSuccess)
    #expect(keychain.copy(password("a")).status == errSecItemNotFound)
  }

  @Test("in an update a foreign group is told before a wrong dictionary, in a query after it")
  func precedence() throws {
    let keychain = try keychain()
    let both = password("a", ["agrp": "foreign", "v_Data": "text"])
    #expect(keychain.update(both, to: ["labl": "x"]) == errSecMissingEntitlement)
    #expect(keychain.copy(both).status == errSecParam)
    #expect(keychain.add(both) == errSecParam)
  }

  @Test("a value in the query of an update is no filter")
  func valueInQuery() throws {
    let keychain = try keychain()
    let query = password("a", ["v_Data": Data("not it".utf8)])
    #expect(keychain.update(query, to: ["labl": "x"]) == errSecSuccess)
    #expect(keychain.update(password("a", ["v_Data": "text"]), to: ["labl": "x"]) == errSecParam)
  }

  @Test("a delete of a class removes all of it, in every group of the client, and nothing else")
  func deleteClass() throws {
    let keychain = try keychain()
    #expect(keychain.add(password("c", ["agrp": "two"])) == errSecSuccess)
    #expect(keychain.add(password("s", ["sync": true])) == errSecSuccess)
    #expect(keychain.add(["class": "inet", "acct": "a"]) == errSecSuccess)
    #expect(keychain.delete(["class": "genp"]) == errSecSuccess)
    #expect(keychain.copy(["class": "genp"]).status == errSecItemNotFound)
    #expect(keychain.copy(["class": "genp", "sync": true]).status == errSecSuccess)
    #expect(keychain.copy(["class": "inet"]).status == errSecSuccess)
  }
}
