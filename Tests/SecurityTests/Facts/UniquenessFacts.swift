import Security
import Testing

/// Section 2 of the fact table: which items are the same.
@Suite("Facts of uniqueness")
struct UniquenessFacts {
  @Test("a generic password is one by account, service, group and synchronizable")
  func genericKey() throws {
    let keychain = try TestKeychain(groups: ["one", "two"])
    let base: [String: Any] = ["class": "genp", "acct": "a", "svce": "s", "agrp": "one"]
    #expect(keychain.add(base) == errSecSuccess)
    for difference in [["acct": "b"], ["svce": "t"], ["agrp": "two"]] {
      #expect(keychain.add(base.merging(difference) { $1 }) == errSecSuccess)
    }
    #expect(keychain.add(base.merging(["sync": true]) { $1 }) == errSecSuccess)
    #expect(keychain.add(base) == errSecDuplicateItem)
  }

  @Test("an internet password is one by its nine attributes")
  func internetKey() throws {
    let keychain = try TestKeychain(groups: ["one", "two"])
    let base: [String: Any] = [
      "class": "inet", "acct": "a", "sdmn": "d", "srvr": "s", "ptcl": "htps", "atyp": "dflt",
      "port": 443, "path": "/", "agrp": "one", "sync": false,
    ]
    #expect(keychain.add(base) == errSecSuccess)
    let differences: [[String: Any]] = [
      ["acct": "b"], ["sdmn": "e"], ["srvr": "t"], ["ptcl": "http"], ["atyp": "form"],
      ["port": 80], ["path": "/x"], ["agrp": "two"], ["sync": true],
    ]
    for difference in differences {
      #expect(keychain.add(base.merging(difference) { $1 }) == errSecSuccess, "\(difference)")
    }
    #expect(keychain.add(base) == errSecDuplicateItem)
  }

  @Test("what does not name an item does not make it another: the same key again is a duplicate")
  func otherAttributes() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a")) == errSecSuccess)
    let differences: [[String: Any]] = [
      ["v_Data": Data("other".utf8)], ["labl": "l"], ["gena": Data([1])], ["icmt": "c"],
      ["pdmn": "ck"], ["desc": "d"], ["type": 7],
    ]
    for difference in differences {
      #expect(keychain.add(password("a", difference)) == errSecDuplicateItem, "\(difference)")
    }
  }

  @Test("a local and a synchronizable item of one name are two items")
  func synchronizableIsAnother() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["v_Data": Data("local".utf8)])) == errSecSuccess)
    let synced = password("a", ["sync": true, "v_Data": Data("synced".utf8)])
    #expect(keychain.add(synced) == errSecSuccess)
    #expect(keychain.add(synced) == errSecDuplicateItem)
    #expect(try keychain.data(of: password("a")) == Data("local".utf8))
    #expect(try keychain.data(of: password("a", ["sync": true])) == Data("synced".utf8))
  }

  @Test("items of one name in two groups are two, and a query without a group gives either")
  func groups() throws {
    let keychain = try TestKeychain(groups: ["one", "two"])
    for group in ["one", "two"] {
      let item = password("a", ["agrp": group, "v_Data": Data(group.utf8)])
      #expect(keychain.add(item) == errSecSuccess)
    }
    let either = try keychain.data(of: password("a"))
    #expect([Data("one".utf8), Data("two".utf8)].contains(either))
    let all = keychain.copy(password("a", ["m_Limit": "m_LimitAll", "r_Data": true])).result
    #expect((all as? [Data])?.count == 2)
  }

  @Test("a missing account or service is the empty one")
  func missing() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["class": "genp"]) == errSecSuccess)
    #expect(keychain.add(["class": "genp", "acct": ""]) == errSecDuplicateItem)
    #expect(keychain.add(["class": "genp", "svce": "", "acct": Data()]) == errSecDuplicateItem)
    #expect(keychain.copy(["class": "genp", "acct": "", "svce": ""]).status == errSecSuccess)
    let attributes = try keychain.attributes(of: ["class": "genp"])
    #expect(attributes["acct"] as? String == "")
    #expect(attributes["svce"] as? String == "")
    #expect(keychain.add(["class": "inet"]) == errSecSuccess)
    #expect(keychain.add(["class": "inet", "srvr": "", "port": 0]) == errSecDuplicateItem)
  }

  @Test("accounts are compared by bytes: case, spaces and composition make others")
  func bytes() throws {
    let keychain = try TestKeychain()
    for account in ["alice", "Alice", "alice ", "\u{e9}", "e\u{301}", "a\0b", "a"] {
      #expect(keychain.add(password(account)) == errSecSuccess)
    }
    #expect(keychain.copy(password("ALICE")).status == errSecItemNotFound)
  }

  @Test("a match that ignores case is accepted and has no effect")
  func caseInsensitive() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("alice")) == errSecSuccess)
    let key = kSecMatchCaseInsensitive as String
    #expect(keychain.copy(password("alice", [key: true])).status == errSecSuccess)
    #expect(keychain.copy(password("ALICE", [key: true])).status == errSecItemNotFound)
  }

  @Test("a removed item's reference names nothing, even when its key is used again")
  func identifiersAreNotReused() throws {
    let keychain = try TestKeychain()
    let first = try #require(keychain.adding(password("a", ["r_PersistentRef": true])).result)
    #expect(keychain.delete(password("a")) == errSecSuccess)
    let second = try #require(keychain.adding(password("a", ["r_PersistentRef": true])).result)
    #expect(first as? Data != second as? Data)
    #expect(keychain.copy(["v_PersistentRef": first]).status == errSecItemNotFound)
  }

  @Test("an update that would collide is a duplicate, and changes nothing at all")
  func collisions() throws {
    let keychain = try TestKeychain()
    for account in ["a", "b", "c"] { #expect(keychain.add(password(account)) == errSecSuccess) }
    let status = keychain.update(["class": "genp"], to: ["acct": "x", "labl": "changed"])
    #expect(status == errSecDuplicateItem)
    for account in ["a", "b", "c"] {
      #expect(try keychain.attributes(of: password(account))["labl"] == nil)
    }
    #expect(keychain.update(password("a"), to: ["acct": "b"]) == errSecDuplicateItem)
    #expect(keychain.copy(password("a")).status == errSecSuccess)
  }

  @Test("a removed name is free for an update and an add")
  func freedNames() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a")) == errSecSuccess)
    #expect(keychain.add(password("b")) == errSecSuccess)
    #expect(keychain.delete(password("b")) == errSecSuccess)
    #expect(keychain.update(password("a"), to: ["acct": "b"]) == errSecSuccess)
    #expect(keychain.add(password("a")) == errSecSuccess)
  }

  @Test("another accessibility filters a query, and is a duplicate for an add")
  func accessibilityTrap() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["pdmn": "ak"])) == errSecSuccess)
    #expect(keychain.copy(password("a", ["pdmn": "ck"])).status == errSecItemNotFound)
    #expect(keychain.add(password("a", ["pdmn": "ck"])) == errSecDuplicateItem)
    #expect(keychain.update(password("a"), to: ["pdmn": "ck"]) == errSecSuccess)
    #expect(keychain.copy(password("a", ["pdmn": "ck"])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["pdmn": "ak"])).status == errSecItemNotFound)
    let all = keychain.copy(password("a", ["m_Limit": "m_LimitAll", "r_Attributes": true])).result
    #expect((all as? [[String: Any]])?.count == 1)
  }

  @Test("an item that an update made local is found without synchronizable, and only so")
  func fromSyncedToLocal() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["sync": true])) == errSecSuccess)
    #expect(keychain.update(password("a", ["sync": true]), to: ["sync": false]) == errSecSuccess)
    #expect(keychain.copy(password("a")).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["sync": true])).status == errSecItemNotFound)
    #expect(keychain.update(password("a"), to: ["sync": true]) == errSecSuccess)
    #expect(keychain.copy(password("a")).status == errSecItemNotFound)
  }
}
