import Security
import Testing

/// One client in each of the styles in which programs write the calls.
@Suite("Styles of clients")
struct ClientStyleTests {
  @Test("update first, and add where nothing was found")
  func updateThenAdd() throws {
    try TestKeychain().use {
      for value in ["one", "two"] {
        let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "a" as CFString]
        let data = [kSecValueData: Data(value.utf8)]
        var status = SecItemUpdate(query as CFDictionary, data as CFDictionary)
        if status == errSecItemNotFound {
          let item = (query as [CFString: Any]).merging(data) { $1 }
          status = SecItemAdd(item as CFDictionary, nil)
        }
        #expect(status == errSecSuccess)
      }
      #expect(read("a") == Data("two".utf8))
    }
  }

  @Test("add first, and update a duplicate")
  func addThenUpdate() throws {
    try TestKeychain().use {
      for value in ["one", "two"] {
        var query: [String: AnyObject] = [
          kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "a" as NSString,
        ]
        query[kSecValueData as String] = Data(value.utf8) as NSData
        if SecItemAdd(query as CFDictionary, nil) == errSecDuplicateItem {
          query.removeValue(forKey: kSecValueData as String)
          let changes = [kSecValueData as String: Data(value.utf8)]
          #expect(SecItemUpdate(query as CFDictionary, changes as CFDictionary) == noErr)
        }
      }
      #expect(read("a") == Data("two".utf8))
    }
  }

  @Test("a mutable dictionary that is filled step by step")
  func mutableDictionary() throws {
    try TestKeychain().use {
      let query = NSMutableDictionary()
      query[kSecClass as String] = kSecClassInternetPassword
      query[kSecAttrServer as String] = "example.com"
      query[kSecAttrProtocol as String] = kSecAttrProtocolHTTPS
      query[kSecAttrPort as String] = 443
      query[kSecValueData as String] = "value".data(using: .utf8)
      #expect(SecItemAdd(query, nil) == errSecSuccess)
      query.removeObject(forKey: kSecValueData as String)
      query[kSecReturnData as String] = kCFBooleanTrue
      query[kSecReturnAttributes as String] = kCFBooleanTrue
      var result: CFTypeRef?
      #expect(unsafe SecItemCopyMatching(query, &result) == errSecSuccess)
      let item = try #require(result as? NSDictionary)
      #expect(item[kSecValueData] as? Data == Data("value".utf8))
      #expect(item[kSecAttrPort] as? Int == 443)
      #expect(item[kSecAttrProtocol] as? String == kSecAttrProtocolHTTPS as String)
    }
  }

  @Test("a pointer to the result, as clients that bind it by hand pass it")
  func pointers() throws {
    try TestKeychain().use {
      let item: NSDictionary = ["class": "genp", "acct": "a", "v_Data": Data("x".utf8)]
      #expect(SecItemAdd(item, nil) == errSecSuccess)
      var result: AnyObject?
      let query: NSDictionary = ["class": "genp", "acct": "a", "r_Data": true]
      let status = unsafe withUnsafeMutablePointer(to: &result) {
        unsafe SecItemCopyMatching(query, UnsafeMutablePointer($0))
      }
      #expect(status == noErr)
      #expect(result as? Data == Data("x".utf8))
    }
  }

  @Test("a listing of accounts with all of their attributes")
  func listing() throws {
    try TestKeychain().use {
      for account in ["a", "b"] {
        let item: [String: Any] = [
          kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
          kSecAttrService as String: "service",
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      }
      let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "service",
        kSecReturnAttributes as String: kCFBooleanTrue as Any,
        kSecMatchLimit as String: kSecMatchLimitAll,
      ]
      var result: CFTypeRef?
      #expect(unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
      let items = try #require(result as? [[String: Any]])
      #expect(Set(items.compactMap { $0[kSecAttrAccount as String] as? String }) == ["a", "b"])
      let array = try #require(result as? CFArray)
      #expect(array.count == 2)
    }
  }

  @Test("an error made of a status, with the text of the keychain")
  func errors() throws {
    try TestKeychain().use {
      let status = SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
      let text = SecCopyErrorMessageString(status, nil) as String? ?? ""
      let error = NSError(
        domain: kCFErrorDomainOSStatus as String,
        code: Int(status),
        userInfo: [NSLocalizedDescriptionKey: text]
      )
      #expect(error.code == -25_300)
      #expect(
        error.localizedDescription == "The specified item could not be found in the keychain."
      )
    }
  }

  @Test("the calls work from tasks, with a value that is sent along")
  func tasks() async throws {
    let keychain = try TestKeychain()
    await withTaskGroup(of: OSStatus.self) { group in
      for index in 0..<8 {
        group.addTask { keychain.add(password("\(index)", ["v_Data": Data([UInt8(index)])])) }
      }
      for await status in group { #expect(status == errSecSuccess) }
    }
    let all = keychain.copy(["class": "genp", "r_Data": true, "m_Limit": "m_LimitAll"])
    #expect((all.result as? [Data])?.count == 8)
  }

  private func read(_ account: String) -> Data? {
    let query: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnData: true,
    ]
    var result: CFTypeRef?
    _ = unsafe SecItemCopyMatching(query as CFDictionary, &result)
    return result as? Data
  }
}
