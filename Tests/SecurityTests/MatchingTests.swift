import Foundation
import SecretVault
import Security
import TestSupport
import Testing

/// `SecItemCopyMatching`, as far as it is the vault's: what is found by a part of a name, and lasts.
@Suite("Matching")
struct MatchingTests {
  @Test("each attribute finds its item, alone and with others")
  func eachAttribute() throws {
    let keychain = try TestKeychain()
    let values: [String: Any] = [
      "acct": "account", "svce": "service", "labl": "label", "desc": "description",
      "icmt": "comment", "gena": Data([1, 2, 3]), "alis": "alias", "crtr": 0x6162_6364,
      "type": 7, "invi": true, "nega": false,
    ]
    #expect(keychain.add(["class": "genp"].merging(values) { $1 }) == errSecSuccess)
    #expect(keychain.add(["class": "genp", "acct": "other", "type": 8]) == errSecSuccess)
    for (key, value) in values {
      let query: [String: Any] = ["class": "genp", key: value, "r_Attributes": true]
      let found = keychain.copy(query).result as? [String: Any]
      #expect(found?["acct"] as? String == "account", "\(key)")
      if key == "type" { continue }
      #expect(keychain.copy(query.merging(["type": 8]) { $1 }).status == errSecItemNotFound)
    }
  }

  @Test("an internet password is found by any part of its name")
  func internetPassword() throws {
    let keychain = try TestKeychain()
    let values: [String: Any] = [
      "srvr": "example.com", "acct": "alice", "sdmn": "domain", "ptcl": "htps", "atyp": "form",
      "port": 8443, "path": "/login",
    ]
    #expect(keychain.add(["class": "inet"].merging(values) { $1 }) == errSecSuccess)
    #expect(keychain.add(["class": "inet", "srvr": "other.org"]) == errSecSuccess)
    for (key, value) in values {
      let query: [String: Any] = ["class": "inet", key: value, "r_Attributes": true]
      let found = keychain.copy(query).result as? [String: Any]
      #expect(found?["srvr"] as? String == "example.com", "\(key)")
    }
    let found = keychain.copy(["class": "inet", "port": 8443, "r_Attributes": true]).result
    #expect((found as? [String: Any])?["ptcl"] as? String == "htps")
    #expect((found as? [String: Any])?["port"] as? Int == 8443)
  }

  @Test("the two classes do not find each other's items")
  func classes() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(["class": "genp", "acct": "a"]) == errSecSuccess)
    #expect(keychain.copy(["class": "inet", "acct": "a"]).status == errSecItemNotFound)
    #expect(keychain.add(["class": "inet", "acct": "a"]) == errSecSuccess)
    #expect(keychain.delete(["class": "genp"]) == errSecSuccess)
    #expect(keychain.copy(["class": "inet", "acct": "a"]).status == errSecSuccess)
  }

  @Test("queries by a part of a name follow every change of this program")
  func indexFollows() throws {
    let keychain = try TestKeychain()
    func status(_ key: String, _ value: Any) -> OSStatus {
      keychain.copy(["class": "genp", key: value]).status
    }
    for number in 0..<40 {
      #expect(keychain.add(["class": "genp", "acct": "\(number)", "labl": "all"]) == errSecSuccess)
    }
    #expect(status("acct", "7") == errSecSuccess)
    #expect(
      keychain.update(["class": "genp", "acct": "7"], to: ["acct": "seven"]) == errSecSuccess
    )
    #expect(status("acct", "7") == errSecItemNotFound)
    #expect(status("acct", "seven") == errSecSuccess)
    #expect(
      keychain.update(["class": "genp", "labl": "all"], to: ["labl": "any"]) == errSecSuccess
    )
    #expect(status("labl", "all") == errSecItemNotFound)
    let all: [String: Any] = [
      "class": "genp", "labl": "any", "m_Limit": "m_LimitAll", "r_Attributes": true,
    ]
    #expect((keychain.copy(all).result as? [Any])?.count == 40)
    #expect(keychain.delete(["class": "genp", "acct": "seven"]) == errSecSuccess)
    #expect((keychain.copy(all).result as? [Any])?.count == 39)
    #expect(keychain.delete(["class": "genp"]) == errSecSuccess)
    #expect(status("labl", "any") == errSecItemNotFound)
    #expect(keychain.keychain.index.rowCount == 0)
  }

  @Test("a finite limit is how many come back, wherever they are")
  func limits() throws {
    let keychain = try TestKeychain(groups: ["first", "second"])
    for number in 0..<6 {
      let group = number.isMultiple(of: 2) ? "first" : "second"
      let added = keychain.add(["class": "genp", "acct": "\(number)", "agrp": group])
      #expect(added == errSecSuccess)
    }
    for (limit, count) in [(2, 2), (4, 4), (6, 6), (100, 6)] {
      let query: [String: Any] = ["class": "genp", "m_Limit": limit, "r_PersistentRef": true]
      let references = keychain.copy(query).result as? [Data]
      #expect(references.map { Set($0).count } == count)
    }
  }

  @Test("a persistent reference outlasts the process, and finds the item after a rename")
  func referencesLast() throws {
    let keychain = try TestKeychain()
    let item: [String: Any] = ["class": "genp", "svce": "s", "acct": "a", "v_Data": Data([1])]
    let added = keychain.adding(item.merging(["r_PersistentRef": true]) { $1 }).result
    let reference = try #require(added as? Data)
    #expect(reference.prefix(4) == Data("genp".utf8))
    #expect(keychain.update(["class": "genp", "acct": "a"], to: ["acct": "b"]) == errSecSuccess)
    keychain.store.close()
    let later = try TestKeychain(reopening: keychain, groups: ["default"])
    let query: [String: Any] = ["v_PersistentRef": reference, "r_Attributes": true, "r_Data": true]
    let found = later.copy(query).result as? [String: Any]
    #expect(found?["acct"] as? String == "b")
    #expect(found?["v_Data"] as? Data == Data([1]))
  }

  @Test("a secret that has expired is not given out, and the item can still be changed and removed")
  func expired() throws {
    let keychain = try TestKeychain()
    var item = SecretItem(identity: ItemIdentity(service: "s", account: "a"))
    item.expires = Timestamp(millisecondsSince1970: 1)
    try keychain.store.add(item, secret: SecretBytes(copying: Array("old".utf8)))
    let query: [String: Any] = ["class": "genp", "svce": "s", "acct": "a"]
    let reading = query.merging(["r_Data": true]) { $1 }
    #expect(keychain.copy(reading).status == errSecDataNotAvailable)
    #expect(keychain.copy(query).status == errSecSuccess)
    #expect(keychain.update(query, to: ["labl": "x"]) == errSecSuccess)
    #expect(keychain.delete(query) == errSecSuccess)
  }

  @Test("what the library and the tool have stored is found, and the other way round")
  func sameItems() throws {
    let keychain = try TestKeychain()
    let identity = ItemIdentity(service: "s", account: "a", group: "default")
    try keychain.store.set(SecretBytes(copying: [1, 2]), for: identity, label: "l")
    let query: [String: Any] = ["class": "genp", "acct": "a", "r_Data": true, "r_Attributes": true]
    let found = keychain.copy(query).result as? [String: Any]
    #expect(found?["v_Data"] as? Data == Data([1, 2]))
    #expect(found?["labl"] as? String == "l")
    #expect(keychain.update(["class": "genp", "acct": "a"], to: ["icmt": "c"]) == errSecSuccess)
    #expect(try keychain.store.item(for: identity)?.comment?.text == "c")
    #expect(try keychain.store.secret(for: identity)?.copied(as: [UInt8].self) == [1, 2])
  }
}
