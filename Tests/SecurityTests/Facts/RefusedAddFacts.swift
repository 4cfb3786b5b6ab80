import Security
import Testing

/// Section 3.3 of the fact table: what `SecItemAdd` refuses.
@Suite("Facts of refused adds")
struct RefusedAddFacts {
  @Test("the keys of a dictionary are checked before its values are used")
  func keys() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["acct": "a"]) == errSecParam)
    #expect(keychain.add(["class": "nope"]) == errSecNoSuchClass)
    #expect(keychain.add(["class": 7]) == errSecParam)
    #expect(keychain.add(password("a", ["abcd": "x"])) == errSecNoSuchAttr)
    #expect(keychain.add(password("a", ["account": "x"])) == errSecParam)
    let numbered: [AnyHashable: Any] = ["class": "genp", "acct": "a", 1: "x"]
    #expect(keychain.add(numbered as NSDictionary) == errSecParam)
  }

  @Test("a value that its key cannot have is a wrong parameter")
  func wrongTypes() throws {
    let keychain = try TestKeychain()
    let wrong: [[String: Any]] = [
      ["v_Data": "text"], ["acct": NSNull()], ["labl": Date()], ["cdat": "yesterday"],
      ["acct": ["a"]], ["agrp": Data("g".utf8)], ["sync": "perhaps"], ["pdmn": "never"],
      ["pdmn": 6], ["accc": "ak"], ["type": Data([1])], ["v_Ref": "item"], ["v_Data": NSNull()],
    ]
    for pair in wrong { #expect(keychain.add(password("a", pair)) == errSecParam, "\(pair)") }
    #expect(keychain.copy(password("a")).status == errSecItemNotFound)
  }

  @Test("a return key takes a truth value; false is the same as no key, and the number 1 is none")
  func returnKeys() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["r_Data": 1])) == errSecParam)
    #expect(keychain.add(password("a", ["r_Data": "yes"])) == errSecParam)
    let added = keychain.adding(password("a", ["r_Data": false, "r_Attributes": kCFBooleanFalse!]))
    #expect(added.status == errSecSuccess)
    #expect(added.result == nil)
  }

  @Test("an accessibility and an access control must agree")
  func agreement() throws {
    let keychain = try TestKeychain()
    let control = try accessControl("ck")
    #expect(keychain.add(password("a", ["accc": control, "pdmn": "ak"])) == errSecParam)
    #expect(keychain.add(password("a", ["accc": control, "pdmn": "ck"])) == errSecSuccess)
    let alone = try accessControl("aku")
    #expect(keychain.add(password("b", ["accc": alone])) == errSecSuccess)
    let attributes = try keychain.attributes(of: password("b"))
    #expect(attributes["pdmn"] as? String == "aku")
    #expect(attributes["accc"] as? SecAccessControl == alone)
  }

  @Test("an access control with needs is refused, and with synchronizable a wrong parameter")
  func constraints() throws {
    let keychain = try TestKeychain()
    let control = try accessControl("ak", .userPresence)
    #expect(keychain.add(password("a", ["accc": control])) == errSecUnimplemented)
    #expect(keychain.add(password("a", ["accc": control, "sync": true])) == errSecParam)
    #expect(keychain.copy(password("a")).status == errSecItemNotFound)
    #expect(keychain.add(password("a")) == errSecSuccess)
    #expect(keychain.update(password("a"), to: ["accc": control]) == errSecUnimplemented)
  }

  @Test("skipping items that need a person is for reading only")
  func skipping() throws {
    let keychain = try TestKeychain()
    let skip = password("a", ["u_AuthUI": kSecUseAuthenticationUISkip])
    #expect(keychain.add(skip) == errSecParam)
    #expect(keychain.update(skip, to: ["labl": "x"]) == errSecParam)
    #expect(keychain.delete(skip) == errSecParam)
    #expect(keychain.copy(skip).status == errSecItemNotFound)
    let fail = password("a", ["u_AuthUI": kSecUseAuthenticationUIFail, "u_OpPrompt": "why"])
    #expect(keychain.add(fail) == errSecSuccess)
  }

  @Test("a persistent reference in an add is ignored when it is one, and else a wrong parameter")
  func referenceInAdd() throws {
    let keychain = try TestKeychain()
    let first = keychain.adding(password("a", ["r_PersistentRef": true])).result
    let reference = try #require(first as? Data)
    let second = keychain.adding(
      password("b", ["v_PersistentRef": reference, "r_PersistentRef": true])
    )
    #expect(second.status == errSecSuccess)
    #expect(second.result as? Data != reference)
    let old = Data("genp".utf8) + Data(repeating: 0, count: 8)
    #expect(keychain.add(password("c", ["v_PersistentRef": old])) == errSecParam)
    #expect(keychain.add(password("c", ["v_PersistentRef": Data()])) == errSecParam)
  }

  @Test("a dictionary of more than 128 entries is a wrong parameter")
  func tooManyEntries() throws {
    let keychain = try TestKeychain()
    var item = password("a")
    for index in 0..<130 { item["m_\(index)"] = "x" }
    #expect(keychain.add(item) == errSecParam)
  }

  @Test("a match limit in an add is a wrong parameter, and adds nothing")
  func limitInAdd() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["m_Limit": kSecMatchLimitOne])) == errSecParam)
    #expect(keychain.copy(password("a")).status == errSecItemNotFound)
  }

  @Test("a locked class refuses an add, also where the item exists already")
  func locked() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a")) == errSecSuccess)
    keychain.lock()
    #expect(keychain.add(password("a")) == errSecInteractionNotAllowed)
    #expect(keychain.add(password("b")) == errSecInteractionNotAllowed)
    #expect(keychain.add(password("c", ["pdmn": "ck"])) == errSecSuccess)
    try keychain.unlock()
    #expect(keychain.add(password("a")) == errSecDuplicateItem)
    #expect(keychain.copy(password("b")).status == errSecItemNotFound)
  }
}
