import Security
import Testing

/// What the keychain libraries that are used most do with the calls, and what they rely on.
@Suite("Uses by other libraries")
struct ThirdPartyUseTests {
  private let all: [String: Any] = ["r_Data": true, "r_Attributes": true, "r_PersistentRef": true]

  @Test("KeychainAccess: look for both kinds, then update both or add one, and read by both")
  func keychainAccess() throws {
    let keychain = try TestKeychain()
    let query = password("key", [kSecAttrSynchronizable as String: kSecAttrSynchronizableAny])
    func set(_ value: String, _ accessible: CFString, synced: Bool) -> OSStatus {
      let values: [String: Any] = [
        kSecValueData as String: Data(value.utf8), kSecAttrAccessible as String: accessible,
        kSecAttrSynchronizable as String: synced ? kCFBooleanTrue! : kCFBooleanFalse!,
      ]
      switch keychain.exists(query) {
      case errSecSuccess, errSecInteractionNotAllowed: return keychain.update(query, to: values)
      case errSecItemNotFound: return keychain.add(query.merging(values) { $1 })
      case let other: return other
      }
    }
    #expect(set("one", kSecAttrAccessibleAfterFirstUnlock, synced: false) == errSecSuccess)
    #expect(set("two", kSecAttrAccessibleWhenUnlocked, synced: true) == errSecSuccess)
    let read = query.merging(all) { $1 }.merging([kSecReturnRef as String: true]) { $1 }
    let found = try #require(keychain.copy(read).result as? [String: Any])
    #expect(found[kSecClass as String] as? String == kSecClassGenericPassword as String)
    #expect(found[kSecAttrSynchronizable as String] as? Bool == true)
    #expect(found[kSecAttrAccessible as String] as? String == "ak")
    #expect(found[kSecAttrAccessControl as String] is SecAccessControl)
    #expect(found[kSecAttrCreationDate as String] is Date)
    #expect(found[kSecValueRef as String] == nil)
    keychain.lock()
    let refused = set("three", kSecAttrAccessibleWhenUnlocked, synced: true)
    #expect(refused == errSecInteractionNotAllowed)
    try keychain.unlock()
    #expect(try keychain.data(of: query) == Data("two".utf8))
    #expect(keychain.delete(query) == errSecSuccess)
    #expect(keychain.exists(query) == errSecItemNotFound)
  }

  @Test("KeychainAccess: an error of an access control becomes an NSError with its parts")
  func keychainAccessErrors() throws {
    var error: Unmanaged<CFError>?
    let flags = SecAccessControlCreateFlags(rawValue: CFOptionFlags(1 << 14 | 1 << 15))
    let made = unsafe SecAccessControlCreateWithFlags(
      kCFAllocatorDefault,
      "ak" as CFTypeRef,
      flags,
      &error
    )
    #expect(made == nil)
    let failure = try #require(unsafe error?.takeUnretainedValue())
    let whole = NSError(
      domain: CFErrorGetDomain(failure) as String,
      code: CFErrorGetCode(failure),
      userInfo: CFErrorCopyUserInfo(failure) as? [String: Any]
    )
    #expect(whole.code == Int(errSecParam))
    unsafe error?.release()
  }

  @Test("KeychainAccess: internet passwords by server, port, protocol and authentication")
  func keychainAccessInternet() throws {
    let keychain = try TestKeychain()
    let query: [String: Any] = [
      kSecClass as String: kSecClassInternetPassword, kSecAttrServer as String: "example.com",
      kSecAttrPort as String: 443, kSecAttrProtocol as String: kSecAttrProtocolHTTPS as String,
      kSecAttrAuthenticationType as String: kSecAttrAuthenticationTypeDefault as String,
      kSecAttrSynchronizable as String: kSecAttrSynchronizableAny,
      kSecAttrAccount as String: "key",
    ]
    #expect(keychain.add(query.merging(["v_Data": Data("x".utf8)]) { $1 }) == errSecSuccess)
    let found = try keychain.attributes(of: query)
    #expect(found[kSecAttrPort as String] as? Int == 443)
    #expect(found[kSecAttrProtocol as String] as? String == "htps")
    #expect(found[kSecAttrAuthenticationType as String] as? String == "dflt")
    let prompt = [kSecUseOperationPrompt, kSecUseAuthenticationContext].map(String.init)
    let context = query.merging([prompt[0]: "why", prompt[1]: NSObject()]) { $1 }
    #expect(keychain.exists(context) == errSecSuccess)
  }

  @Test("Valet: a canary in a dictionary of hashable values, with an access control or a class")
  func valet() throws {
    let keychain = try TestKeychain()
    let control = try accessControl(kSecAttrAccessibleWhenUnlocked as String)
    let base: [String: AnyHashable] = [
      kSecClass as String: kSecClassGenericPassword as String,
      kSecAttrService as String: "VAL_service", kSecAttrAccessControl as String: control,
      kSecUseDataProtectionKeychain as String: true,
    ]
    let canary = base.merging([kSecAttrAccount as String: "canary"]) { $1 }
    let item = canary.merging([kSecValueData as String: Data("canary".utf8)]) { $1 }
    #expect(keychain.add(item) == errSecSuccess)
    #expect(keychain.copy(canary.merging(["r_Data": true]) { $1 }).status == errSecSuccess)
    let keys = keychain.copy(base.merging(["r_Attributes": true, "m_Limit": "m_LimitAll"]) { $1 })
    #expect((keys.result as? [[String: AnyHashable]])?.count == 1)
    let needs: SecAccessControlCreateFlags = [.userPresence]
    let guarded = base.merging([
      kSecAttrAccessControl as String: try accessControl("akpu", needs),
      kSecAttrAccount as String: "guarded",
    ]) { $1 }
    #expect(keychain.add(guarded) == errSecUnimplemented)
  }

  @Test("keychain-swift: account only, delete and add, references and clearing")
  func keychainSwift() throws {
    let keychain = try TestKeychain()
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "key",
    ]
    #expect(keychain.delete(query) == errSecItemNotFound)
    for value in ["one", "two"] {
      _ = keychain.delete(query)
      let accessible = kSecAttrAccessibleWhenUnlocked as String
      let item = query.merging(["v_Data": Data(value.utf8), "pdmn": accessible]) { $1 }
      #expect(keychain.add(item) == noErr)
    }
    #expect(try keychain.data(of: query) == Data("two".utf8))
    let reference = keychain.copy(query.merging([kSecReturnPersistentRef as String: true]) { $1 })
    #expect(reference.result is Data)
    #expect(keychain.add(query.merging(["sync": true, "acct": "synced"]) { $1 }) == noErr)
    #expect(keychain.delete(["class": kSecClassGenericPassword]) == noErr)
    #expect(keychain.copy(query).status == errSecItemNotFound)
    let synced: [String: Any] = ["class": "genp", "sync": kSecAttrSynchronizableAny]
    #expect(keychain.delete(synced) == noErr)
  }

  @Test("SwiftKeychainWrapper: data as account, synchronizable always stated, a class as a filter")
  func swiftKeychainWrapper() throws {
    let keychain = try TestKeychain()
    let name = Data("key".utf8)
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "wrapper",
      kSecAttrAccount as String: name, kSecAttrGeneric as String: name,
      kSecAttrSynchronizable as String: kCFBooleanFalse!,
    ]
    let item = query.merging(["v_Data": Data("one".utf8), "pdmn": "ak"]) { $1 }
    #expect(keychain.add(item) == errSecSuccess)
    #expect(keychain.add(item) == errSecDuplicateItem)
    #expect(keychain.update(query, to: ["v_Data": Data("two".utf8)]) == errSecSuccess)
    let filtered = query.merging(["pdmn": "ck"]) { $1 }
    #expect(keychain.update(filtered, to: ["v_Data": Data()]) == errSecItemNotFound)
    let listing: [String: Any] = [
      "class": "genp", "svce": "wrapper", "r_Attributes": true, "m_Limit": "m_LimitAll",
    ]
    let found = try #require(keychain.copy(listing).result as? [[AnyHashable: Any]])
    #expect(found.compactMap { $0["acct"] as? Data } == [name])
    #expect(keychain.delete(["class": "genp", "svce": "wrapper"]) == errSecSuccess)
    let classes = [
      kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey,
      kSecClassIdentity,
    ]
    for itemClass in classes {
      #expect(keychain.delete([kSecClass as String: itemClass]) != errSecSuccess)
    }
  }

  @Test("KeyValueStorage: an update whose query still has the value and the accessibility")
  func keyValueStorage() throws {
    let keychain = try TestKeychain()
    let item = password(
      "key",
      ["pdmn": "ak", "v_Data": Data("one".utf8), kSecUseDataProtectionKeychain as String: true]
    )
    #expect(keychain.add(item) == errSecSuccess)
    #expect(keychain.add(item) == errSecDuplicateItem)
    #expect(keychain.update(item, to: ["v_Data": Data("two".utf8)]) == errSecSuccess)
    #expect(try keychain.data(of: password("key")) == Data("two".utf8))
  }

  @Test("SecurePropertyStorage: keys that are constants, remove and add, and a text for an error")
  func securePropertyStorage() throws {
    try TestKeychain().use {
      var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "key",
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecAttrSynchronizable: false,
        kSecUseDataProtectionKeychain: true,
      ]
      #expect(SecItemDelete(query as CFDictionary) == errSecItemNotFound)
      query[kSecValueData] = Data("one".utf8)
      #expect(SecItemAdd(query as CFDictionary, nil) == errSecSuccess)
      query[kSecValueData] = nil
      query[kSecReturnData] = true
      query[kSecReturnAttributes] = true
      var result: CFTypeRef?
      #expect(unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
      let item = try #require(result as? [CFString: Any])
      #expect(item[kSecValueData] as? Data == Data("one".utf8))
      #expect(errSecItemNotFound.text == "The specified item could not be found in the keychain.")
    }
  }
}

extension OSStatus {
  /// As clients extend the type of the statuses.
  fileprivate var text: String? { SecCopyErrorMessageString(self, nil) as String? }
}
