import Foundation
import SecretVault
import Security
import Synchronization
import TestSupport
import Testing

/// Access groups: the list that stands for the entitlement, and what is outside of it.
@Suite("Groups")
struct GroupsTests {
  @Test("two programs with different lists over one vault each see their groups only")
  func twoPrograms() throws {
    let owner = try TestKeychain(groups: ["shared", "mine", "yours"])
    let mine = try TestKeychain(reopening: owner, groups: ["mine", "shared"])
    let yours = try TestKeychain(reopening: owner, groups: ["yours", "shared"])
    #expect(mine.add(password("a", ["v_Data": Data("mine".utf8)])) == errSecSuccess)
    #expect(yours.copy(password("a")).status == errSecItemNotFound)
    #expect(yours.update(password("a"), to: ["labl": "x"]) == errSecItemNotFound)
    #expect(yours.delete(password("a")) == errSecItemNotFound)
    #expect(yours.add(password("a", ["v_Data": Data("yours".utf8)])) == errSecSuccess)
    #expect(mine.copy(password("a", ["r_Data": true])).result as? Data == Data("mine".utf8))
    #expect(yours.copy(password("a", ["r_Data": true])).result as? Data == Data("yours".utf8))
    #expect(mine.copy(password("a", ["agrp": "yours"])).status == errSecMissingEntitlement)
    #expect(mine.add(password("both", ["agrp": "shared"])) == errSecSuccess)
    #expect(yours.copy(password("both")).status == errSecSuccess)
    #expect(mine.delete(["class": "genp"]) == errSecSuccess)
    #expect(yours.copy(password("a")).status == errSecSuccess)
    #expect(yours.copy(password("both")).status == errSecItemNotFound)
  }

  @Test("a persistent reference does not reach into a foreign group")
  func references() throws {
    let owner = try TestKeychain(groups: ["mine", "yours"])
    let mine = try TestKeychain(reopening: owner, groups: ["mine"])
    let yours = try TestKeychain(reopening: owner, groups: ["yours"])
    let added = mine.adding(password("a", ["r_PersistentRef": true])).result
    let reference = try #require(added as? Data)
    #expect(yours.copy(["v_PersistentRef": reference]).status == errSecItemNotFound)
    #expect(yours.delete(["v_PersistentRef": reference]) == errSecItemNotFound)
    #expect(mine.copy(["v_PersistentRef": reference]).status == errSecSuccess)
  }

  @Test("a listed group that the vault did not open is a missing entitlement")
  func closedGroup() throws {
    let owner = try TestKeychain()
    let wishful = try TestKeychain(reopening: owner, groups: ["default", "absent"])
    #expect(wishful.add(password("a")) == errSecSuccess)
    #expect(wishful.copy(password("a", ["agrp": "default"])).status == errSecSuccess)
    #expect(wishful.copy(password("a", ["agrp": "absent"])).status == errSecMissingEntitlement)
    #expect(wishful.copy(password("b")).status == errSecMissingEntitlement)
  }

  @Test("the group of tokens is in no list, so nothing is written there")
  func tokenGroup() throws {
    let owner = try TestKeychain()
    let token = String(kSecAttrAccessGroupToken)
    let keychain = try TestKeychain(reopening: owner, groups: [token, "default"])
    #expect(keychain.add(password("a")) == errSecSuccess)
    #expect(keychain.copy(password("a", ["agrp": "default"])).status == errSecSuccess)
    #expect(keychain.add(password("a", ["agrp": token])) == errSecMissingEntitlement)
  }

  @Test("names of groups are compared byte for byte")
  func spelling() throws {
    let keychain = try TestKeychain(groups: ["team.app"])
    for other in ["Team.app", "team.app ", "app", ""] {
      #expect(keychain.copy(password("a", ["agrp": other])).status == errSecMissingEntitlement)
    }
  }

  @Test("a composed and a decomposed letter make two groups, and neither opens the other")
  func composition() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let owner = try TestKeychain(groups: [composed, decomposed])
    #expect(owner.keychain.groups.count == 2)
    #expect(owner.add(password("a", ["agrp": composed])) == errSecSuccess)
    #expect(owner.copy(password("a", ["agrp": decomposed])).status == errSecItemNotFound)
    let other = try TestKeychain(reopening: owner, groups: [decomposed])
    #expect(other.copy(password("a")).status == errSecItemNotFound)
    #expect(other.copy(password("a", ["agrp": composed])).status == errSecMissingEntitlement)
    #expect(other.delete(password("a", ["agrp": composed])) == errSecMissingEntitlement)
  }

  @Test("an update moves an item to another group of the list, with its reference")
  func moving() throws {
    let keychain = try TestKeychain(groups: ["first", "second"])
    let secret = Data("s".utf8)
    let added = keychain.adding(password("a", ["v_Data": secret, "r_PersistentRef": true])).result
    let reference = try #require(added as? Data)
    #expect(keychain.update(password("a"), to: ["agrp": "second"]) == errSecSuccess)
    #expect(keychain.copy(password("a", ["agrp": "first"])).status == errSecItemNotFound)
    let moved = keychain.copy(password("a", ["agrp": "second", "r_Data": true])).result
    #expect(moved as? Data == secret)
    #expect(
      keychain.copy(["v_PersistentRef": reference, "r_Data": true]).result as? Data == secret
    )
    #expect(keychain.add(password("a")) == errSecSuccess)
    let collision = keychain.update(password("a", ["agrp": "first"]), to: ["agrp": "second"])
    #expect(collision == errSecDuplicateItem)
  }

  @Test("while locked, groups are told apart as before")
  func whileLocked() throws {
    let keychain = try TestKeychain(groups: ["first", "second"])
    for group in ["first", "second"] {
      let open = password("a", ["agrp": group, "pdmn": "ck", "v_Data": Data(group.utf8)])
      #expect(keychain.add(open) == errSecSuccess)
    }
    keychain.lock()
    let second = password("a", ["agrp": "second", "r_Data": true, "r_Attributes": true])
    let result = keychain.copy(second).result as? [String: Any]
    #expect(result?["v_Data"] as? Data == Data("second".utf8))
    #expect(result?["agrp"] as? String == "second")
    let renamed = keychain.update(password("a", ["agrp": "second"]), to: ["acct": "b"])
    #expect(renamed == errSecSuccess)
    #expect(keychain.copy(password("b", ["agrp": "second"])).status == errSecSuccess)
    #expect(keychain.copy(password("a", ["agrp": "first"])).status == errSecSuccess)
  }

  @Test("a query in several groups is of one state, whatever other threads write meanwhile")
  func writesMeanwhile() throws {
    let keychain = try TestKeychain(groups: ["first", "second"])
    for group in ["first", "second"] {
      for number in 0..<20 {
        #expect(keychain.add(password("\(number)", ["agrp": group])) == errSecSuccess)
      }
    }
    let statuses = Mutex<Set<OSStatus>>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<60 {
        let status =
          thread < 2
          ? keychain.update(password("\(thread)", ["agrp": "second"]), to: ["labl": "\(round)"])
          : keychain.copy(["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true]).status
        statuses.withLock { _ = $0.insert(status) }
      }
    }
    #expect(statuses.withLock { $0 } == [errSecSuccess])
  }
}
