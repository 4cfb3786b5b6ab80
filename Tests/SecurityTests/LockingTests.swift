import Foundation
import SecretVault
import Security
import Testing

/// What the calls answer while the vault is locked.
@Suite("Locking")
struct LockingTests {
  @Test(
    "before the first unlock every class is closed, and an absent item is not told from a locked one"
  )
  func beforeFirstUnlock() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["pdmn": "ck"])) == errSecSuccess)
    keychain.lockAsBeforeFirstUnlock()
    for account in ["a", "absent"] {
      #expect(keychain.copy(password(account)).status == errSecInteractionNotAllowed)
      #expect(keychain.update(password(account), to: ["labl": "x"]) == errSecInteractionNotAllowed)
      #expect(keychain.delete(password(account)) == errSecInteractionNotAllowed)
    }
    #expect(keychain.add(password("b", ["pdmn": "dk"])) == errSecInteractionNotAllowed)
    try keychain.unlock()
    #expect(keychain.copy(password("a")).status == errSecSuccess)
  }

  @Test("while locked, a whole name that is absent is not found by any of the calls")
  func absentWhileLocked() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a")) == errSecSuccess)
    keychain.lock()
    #expect(keychain.copy(password("absent")).status == errSecItemNotFound)
    #expect(keychain.update(password("absent"), to: ["labl": "x"]) == errSecItemNotFound)
    #expect(keychain.delete(password("absent")) == errSecItemNotFound)
  }

  @Test("while locked, a part of a name says locked as long as there is a locked item")
  func partOfANameWhileLocked() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("locked")) == errSecSuccess)
    #expect(keychain.add(password("open", ["pdmn": "ck"])) == errSecSuccess)
    let byAccount: [String: Any] = ["class": "genp", "acct": "open", "r_Data": true]
    let absent: [String: Any] = ["class": "genp", "acct": "absent"]
    #expect(keychain.copy(absent).status == errSecItemNotFound)
    keychain.lock()
    #expect(keychain.copy(byAccount).status == errSecSuccess)
    #expect(keychain.copy(absent).status == errSecInteractionNotAllowed)
    #expect(keychain.copy(absent.merging(["pdmn": "ck"]) { $1 }).status == errSecItemNotFound)
    #expect(keychain.copy(["class": "inet", "acct": "x"]).status == errSecItemNotFound)
    let all: [String: Any] = ["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true]
    #expect(keychain.copy(all).status == errSecInteractionNotAllowed)
    #expect(keychain.update(["class": "genp"], to: ["labl": "x"]) == errSecInteractionNotAllowed)
    #expect(keychain.delete(["class": "genp"]) == errSecInteractionNotAllowed)
    try keychain.unlock()
    #expect((keychain.copy(all).result as? [Any])?.count == 2)
    #expect(keychain.copy(password("open", ["labl": "x"])).status == errSecItemNotFound)
  }

  @Test("while locked, a whole name that is in several places is found where it can be read")
  func wholeNameInSeveralPlaces() throws {
    let keychain = try TestKeychain(groups: ["first", "second"])
    #expect(keychain.add(password("a")) == errSecSuccess)
    #expect(keychain.add(password("a", ["agrp": "second", "pdmn": "ck"])) == errSecSuccess)
    #expect(keychain.add(password("a", ["agrp": "second", "sync": true])) == errSecSuccess)
    keychain.lock()
    let any = password("a", ["sync": "syna", "r_Attributes": true])
    for query in [password("a", ["r_Attributes": true]), any] {
      #expect(try keychain.attributes(of: query)["pdmn"] as? String == "ck")
    }
    // A second one would be one of those that are locked.
    let two = any.merging(["m_Limit": 2]) { $1 }
    #expect(keychain.copy(two).status == errSecInteractionNotAllowed)
    #expect(keychain.delete(any) == errSecInteractionNotAllowed)
    #expect(keychain.add(password("a", ["agrp": "second", "pdmn": "ck"])) == errSecDuplicateItem)
  }

  @Test("a client that deletes and adds after a read that failed loses nothing while locked")
  func deleteAndAddAfterAFailedRead() throws {
    let keychain = try TestKeychain()
    let secret = Data("the only copy".utf8)
    #expect(keychain.add(password("token", ["v_Data": secret])) == errSecSuccess)
    keychain.lock()
    if keychain.copy(password("token", ["r_Data": true])).status != errSecSuccess {
      #expect(keychain.delete(password("token")) == errSecInteractionNotAllowed)
      let fresh = password("token", ["v_Data": Data("fresh".utf8), "pdmn": "ck"])
      #expect(keychain.add(fresh) == errSecInteractionNotAllowed)
    }
    try keychain.unlock()
    #expect(keychain.copy(password("token", ["r_Data": true])).result as? Data == secret)
  }

  @Test("an add that is locked and a duplicate at once is locked")
  func lockedBeforeDuplicate() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("open", ["pdmn": "ck"])) == errSecSuccess)
    #expect(keychain.add(password("closed")) == errSecSuccess)
    keychain.lock()
    #expect(keychain.add(password("open", ["pdmn": "ak"])) == errSecInteractionNotAllowed)
    #expect(keychain.add(password("open", ["pdmn": "ck"])) == errSecDuplicateItem)
    #expect(keychain.add(password("closed", ["pdmn": "ck"])) == errSecInteractionNotAllowed)
  }

  @Test("an item cannot be moved out of a locked class, nor into one")
  func movingBetweenClasses() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("closed")) == errSecSuccess)
    #expect(keychain.add(password("open", ["pdmn": "ck"])) == errSecSuccess)
    keychain.lock()
    #expect(keychain.update(password("closed"), to: ["pdmn": "ck"]) == errSecInteractionNotAllowed)
    #expect(keychain.update(password("open"), to: ["pdmn": "ak"]) == errSecInteractionNotAllowed)
    try keychain.unlock()
    #expect(keychain.update(password("closed"), to: ["pdmn": "ck"]) == errSecSuccess)
    keychain.lock()
    #expect(keychain.copy(password("closed")).status == errSecSuccess)
  }

  @Test("an update of several items changes none where one is locked")
  func updateOfSeveral() throws {
    let keychain = try TestKeychain()
    for (account, pdmn) in [("a", "ck"), ("b", "ak"), ("c", "ck")] {
      #expect(keychain.add(password(account, ["pdmn": pdmn])) == errSecSuccess)
    }
    let query: [String: Any] = ["class": "genp", "svce": "service"]
    keychain.lock()
    #expect(keychain.update(query, to: ["labl": "x"]) == errSecInteractionNotAllowed)
    #expect(keychain.delete(query) == errSecInteractionNotAllowed)
    try keychain.unlock()
    for account in ["a", "b", "c"] {
      #expect(keychain.copy(password(account, ["labl": "x"])).status == errSecItemNotFound)
      #expect(keychain.copy(password(account)).status == errSecSuccess)
    }
  }

  @Test("a lock empties the index of names, and a query after the unlock fills it again")
  func indexIsDropped() throws {
    let keychain = try TestKeychain()
    for number in 0..<5 { #expect(keychain.add(password("\(number)")) == errSecSuccess) }
    let byAccount: [String: Any] = ["class": "genp", "acct": "3"]
    #expect(keychain.copy(byAccount).status == errSecSuccess)
    #expect(keychain.keychain.index.rowCount == 5)
    keychain.lock()
    #expect(keychain.keychain.index.rowCount == 0)
    try keychain.unlock()
    #expect(keychain.copy(byAccount).status == errSecSuccess)
    #expect(keychain.keychain.index.rowCount == 5)
    keychain.store.lock()
    #expect(keychain.copy(byAccount).status == errSecInteractionNotAllowed)
  }

  @Test("a persistent reference to a locked item is locked, and to an absent one not found")
  func references() throws {
    let keychain = try TestKeychain()
    let added = keychain.adding(password("a", ["r_PersistentRef": true])).result
    let reference = try #require(added as? Data)
    let absent = Data("genp".utf8) + Data(repeating: 7, count: 16)
    keychain.lock()
    #expect(keychain.copy(["v_PersistentRef": reference]).status == errSecInteractionNotAllowed)
    #expect(keychain.copy(["v_PersistentRef": absent]).status == errSecItemNotFound)
    #expect(keychain.delete(["v_PersistentRef": reference]) == errSecInteractionNotAllowed)
  }
}
