import Foundation
import SecretVault
import Security
import Testing

/// `SecItemDelete`, section 5.2 of the fact table.
@Suite("Deleting")
struct DeletingTests {
  @Test("a delete removes every match, and nothing else")
  func everyMatch() throws {
    let keychain = try TestKeychain()
    for (account, service) in [("a", "one"), ("b", "one"), ("a", "two")] {
      let added = keychain.add(["class": "genp", "acct": account, "svce": service])
      #expect(added == errSecSuccess)
    }
    #expect(keychain.delete(["class": "genp", "svce": "one"]) == errSecSuccess)
    #expect(keychain.copy(["class": "genp", "svce": "one"]).status == errSecItemNotFound)
    #expect(keychain.copy(["class": "genp", "svce": "two"]).status == errSecSuccess)
    #expect(keychain.delete(["class": "genp", "svce": "one"]) == errSecItemNotFound)
  }

  @Test("return keys and a value in the query are ignored where they are well formed")
  func ignoredKeys() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["class": "genp", "acct": "a"]) == errSecSuccess)
    let query: [String: Any] = ["class": "genp", "acct": "a", "v_Data": Data("other".utf8)]
    #expect(keychain.delete(query.merging(["r_Data": 1]) { $1 }) == errSecParam)
    #expect(keychain.delete(query.merging(["r_Data": true]) { $1 }) == errSecSuccess)
    #expect(keychain.copy(["class": "genp"]).status == errSecItemNotFound)
  }

  @Test(
    "a delete by an attribute takes the items that have it, and by accessibility those of the class"
  )
  func filters() throws {
    let keychain = try TestKeychain()
    for (account, pdmn) in [("a", "ak"), ("b", "ck"), ("c", "ck")] {
      let item: [String: Any] = ["class": "genp", "acct": account, "pdmn": pdmn, "labl": account]
      #expect(keychain.add(item) == errSecSuccess)
    }
    #expect(keychain.delete(["class": "genp", "labl": "b"]) == errSecSuccess)
    #expect(keychain.delete(["class": "genp", "pdmn": "ck"]) == errSecSuccess)
    let all: [String: Any] = ["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true]
    let left = keychain.copy(all).result as? [[String: Any]]
    #expect(left?.map { $0["acct"] as? String } == ["a"])
  }

  @Test("what was removed is not in the vault any more, for the library either")
  func gone() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["class": "genp", "acct": "a", "svce": "s"]) == errSecSuccess)
    #expect(keychain.delete(["class": "genp", "acct": "a", "svce": "s"]) == errSecSuccess)
    #expect(try keychain.store.items().items.isEmpty)
  }
}
