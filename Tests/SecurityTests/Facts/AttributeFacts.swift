import Security
import Testing

/// Section 1 of the fact table: what attributes there are, and what values they take.
@Suite("Facts of attributes")
struct AttributeFacts {
  private static let textAttributes: [String] = [
    kSecAttrAccount, kSecAttrService, kSecAttrLabel, kSecAttrDescription, kSecAttrComment,
    kSecAttrGeneric, kSecAttrAlias,
  ].map(String.init)

  private static let internetTextAttributes: [String] = [
    kSecAttrAccount, kSecAttrServer, kSecAttrSecurityDomain, kSecAttrAuthenticationType,
    kSecAttrPath, kSecAttrLabel, kSecAttrDescription, kSecAttrComment, kSecAttrAlias,
  ].map(String.init)

  private static let numberAttributes: [String] = [
    kSecAttrCreator, kSecAttrType, kSecAttrIsInvisible, kSecAttrIsNegative,
  ].map(String.init)

  @Test(
    "an attribute of a generic password comes back in the form that it was given in",
    arguments: textAttributes
  )
  func genericForms(key: String) throws {
    let keychain = try TestKeychain()
    try keychain.expectForms(of: key, in: kSecClassGenericPassword)
  }

  @Test(
    "an attribute of an internet password comes back in the form that it was given in",
    arguments: internetTextAttributes
  )
  func internetForms(key: String) throws {
    let keychain = try TestKeychain()
    try keychain.expectForms(of: key, in: kSecClassInternetPassword)
  }

  @Test(
    "an attribute that is a number takes numbers, truth values and digits, and nothing else",
    arguments: numberAttributes
  )
  func numbers(key: String) throws {
    let keychain = try TestKeychain()
    for (account, value) in [("number", 1 as Any), ("truth", true), ("digits", "1")] {
      #expect(keychain.add(password(account, [key: value])) == errSecSuccess)
      let attributes = try keychain.attributes(of: password(account))
      #expect(attributes[key] as? Int == 1)
      #expect(keychain.copy(password(account, [key: 1])).status == errSecSuccess)
      #expect(keychain.copy(password(account, [key: 2])).status == errSecItemNotFound)
    }
    #expect(keychain.add(password("date", [key: Date()])) == errSecParam)
  }

  @Test(
    "the largest and the smallest number come back, and what is no whole number of 64 bits is refused"
  )
  func extremeNumbers() throws {
    let keychain = try TestKeychain()
    for number in [Int64.max, Int64.min, 9_007_199_254_740_993] {
      #expect(keychain.add(password("\(number)", ["labl": number])) == errSecSuccess)
      #expect(try keychain.attributes(of: password("\(number)"))["labl"] as? Int64 == number)
    }
    let refused: [Any] = [Double.nan, Double.infinity, 1e300, 0.5, UInt64.max, UInt64(1) << 63]
    for number in refused {
      #expect(keychain.add(password("a", ["labl": number])) == errSecParam, "\(number)")
      #expect(keychain.add(password("a", ["crtr": number])) == errSecParam, "\(number)")
    }
  }

  @Test("a date that is no moment is refused")
  func impossibleDates() throws {
    let keychain = try TestKeychain()
    for seconds in [Double.nan, .infinity, 1e300] {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(keychain.copy(password("a", ["cdat": date])).status == errSecParam)
    }
  }

  @Test("a protocol of four letters stays text, and none is the number 0")
  func protocols() throws {
    let keychain = try TestKeychain()
    let given: [String: Any] = [
      kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: "one",
      kSecAttrProtocol as String: kSecAttrProtocolFTP,
    ]
    #expect(keychain.add(given) == errSecSuccess)
    #expect(try keychain.attributes(of: given)["ptcl"] as? String == "ftp ")
    let without: [String: Any] = [
      kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: "two",
    ]
    #expect(keychain.add(without) == errSecSuccess)
    #expect(try keychain.attributes(of: without)["ptcl"] as? Int == 0)
  }

  @Test("a port is a number, and an empty text or none is the port 0")
  func ports() throws {
    let keychain = try TestKeychain()
    let ports: [(String, Any, Int)] = [("a", 8080, 8080), ("b", "443", 443), ("c", "", 0)]
    for (server, port, number) in ports {
      let item: [String: Any] = [
        kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: server,
        kSecAttrPort as String: port,
      ]
      #expect(keychain.add(item) == errSecSuccess)
      #expect(try keychain.attributes(of: item)[kSecAttrPort as String] as? Int == number)
    }
  }

  @Test("an attribute of another class is errSecNoSuchAttr in all four calls")
  func attributesOfAnotherClass() throws {
    let keychain = try TestKeychain()
    for key in ["srvr", "port", "path", "ptcl", "atyp", "sdmn", "zzzz"] {
      keychain.expectInAllCalls(password("a", [key: "x"]), errSecNoSuchAttr)
    }
    for key in ["svce", "gena", "zzzz"] {
      let item: [String: Any] = ["class": "inet", "acct": "a", key: "x"]
      keychain.expectInAllCalls(item, errSecNoSuchAttr)
    }
  }

  @Test("text and data with the same bytes are the same account")
  func textAndData() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["class": "genp", "acct": Data("alice".utf8)]) == errSecSuccess)
    #expect(keychain.add(["class": "genp", "acct": "alice"]) == errSecDuplicateItem)
    let attributes = try keychain.attributes(of: ["class": "genp", "acct": "alice"])
    #expect(attributes["acct"] as? Data == Data("alice".utf8))
  }

  @Test("a truth value for an attribute that is text is a wrong parameter")
  func truthValueForText() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["class": "genp", "acct": true]) == errSecParam)
    #expect(keychain.add(["class": "genp", "labl": kCFBooleanFalse!]) == errSecParam)
  }

  @Test("a number for an account is kept as a number, and is the account of its digits")
  func numberForText() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["class": "genp", "acct": 1]) == errSecSuccess)
    #expect(try keychain.attributes(of: ["class": "genp", "acct": 1])["acct"] as? Int == 1)
    #expect(keychain.add(["class": "genp", "acct": "1"]) == errSecDuplicateItem)
  }

  @Test("the choice of the data-protection keychain is accepted everywhere and changes nothing")
  func dataProtectionKeychain() throws {
    let keychain = try TestKeychain()
    for (index, choice) in [true as Any, false, 1].enumerated() {
      let key = kSecUseDataProtectionKeychain as String
      let item = password("account \(index)", [key: choice])
      #expect(keychain.add(item) == errSecSuccess)
      #expect(keychain.copy(item).status == errSecSuccess)
      #expect(keychain.update(item, to: ["labl": "x", key: choice]) == errSecSuccess)
      #expect(keychain.copy(password("account \(index)")).status == errSecSuccess)
      #expect(keychain.delete(item) == errSecSuccess)
    }
    let internet: [String: Any] = ["class": "inet", "srvr": "x", "nleg": true]
    #expect(keychain.add(internet) == errSecSuccess)
  }

  @Test("no private column is in a result, nor a query")
  func privateColumns() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", [kSecValueData as String: Data("x".utf8)])) == errSecSuccess)
    let query = password("a", ["r_Attributes": true, "r_Data": true])
    let result = try #require(keychain.copy(query).result as? [String: Any])
    let added = keychain.adding(password("b", ["r_Attributes": true])).result as? [String: Any]
    for dictionary in [result, try #require(added)] {
      for key in ["vwht", "tkid", "musr", "ggrp", "tomb", "sha1", "UUID", "persistref"] {
        #expect(dictionary[key] == nil)
      }
    }
    #expect(keychain.add(password("c", ["sha1": Data(count: 20)])) == errSecNoSuchAttr)
    #expect(keychain.add(password("c", ["UUID": "x"])) == errSecNoSuchAttr)
  }

  @Test("keys, certificates and identities are not offered, and never a success")
  func otherClasses() throws {
    let keychain = try TestKeychain()
    for other in ["cert", "keys", "idnt"] {
      keychain.expectInAllCalls(["class": other, "labl": "x"], errSecUnimplemented)
    }
  }

  @Test("a key is sorted by its length and its first letter, and any other is a wrong parameter")
  func unknownKeys() throws {
    let keychain = try TestKeychain()
    for key in [
      "account", "m_Other", "r_Other", "v_Other", "x", "", "classes", "five5", "\u{e9}\u{e9}",
    ] {
      keychain.expectInAllCalls(password("a", [key: "x"]), errSecParam)
    }
    // Four characters, whatever their bytes, are an attribute, and no class has this one.
    let four = String(repeating: "\u{e9}", count: 4)
    keychain.expectInAllCalls(password("a", [four: "x"]), errSecNoSuchAttr)
  }
}
