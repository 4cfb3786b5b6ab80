import Security
import Testing

/// The ways in which clients write the dictionaries of the calls.
@Suite("Dictionaries")
struct DictionaryTests {
  @Test("a dictionary by String, by CFString, by AnyHashable and a mutable one are the same")
  func forms() {
    let byText: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: "alice",
      kSecReturnData as String: kCFBooleanTrue!, kSecValueData as String: Data([1, 2]),
    ]
    let byConstant: [CFString: Any] = [
      kSecClass: kSecClassGenericPassword, kSecAttrAccount: "alice" as CFString,
      kSecReturnData: true, kSecValueData: NSData(data: Data([1, 2])),
    ]
    let hashable: [String: AnyHashable] = [
      kSecClass as String: kSecClassGenericPassword as String, kSecAttrAccount as String: "alice",
      kSecReturnData as String: true, kSecValueData as String: Data([1, 2]),
    ]
    let mutable = NSMutableDictionary()
    mutable.setObject(kSecClassGenericPassword, forKey: kSecClass)
    mutable[kSecAttrAccount] = "alice"
    mutable[kSecReturnData as String] = kCFBooleanTrue
    mutable[kSecValueData] = Data([1, 2])
    for dictionary in [
      byText as CFDictionary, byConstant as CFDictionary, hashable as CFDictionary,
    ] {
      #expect(dictionary == mutable as CFDictionary)
    }
  }

  @Test("the truth values are used with and without an exclamation mark")
  func truthValues() {
    let query = [kSecReturnData: kCFBooleanTrue!, kSecReturnRef: kCFBooleanFalse as Any]
    #expect(query[kSecReturnData] as? Bool == true)
    #expect(query[kSecReturnRef] as? Bool == false)
    #expect(kCFBooleanTrue.boolValue)
  }

  @Test("a constant is a key of a Swift dictionary by its string")
  func constantsAsKeys() {
    let names: [CFString: Int] = [kSecAttrAccount: 1]
    #expect(names["acct"] == 1)
  }
}
