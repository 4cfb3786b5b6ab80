import Security
import Testing

/// Section 7 of the fact table: access groups.
@Suite("Facts of access groups")
struct GroupFacts {
  @Test("the first group of the list is where items go, and a named one where it is named")
  func firstGroup() throws {
    let keychain = try TestKeychain(groups: ["team.first", "team.second"])
    #expect(keychain.add(password("a")) == errSecSuccess)
    #expect(keychain.add(password("b", ["agrp": "team.second"])) == errSecSuccess)
    #expect(try keychain.attributes(of: password("a"))["agrp"] as? String == "team.first")
    #expect(try keychain.attributes(of: password("b"))["agrp"] as? String == "team.second")
  }

  @Test("a group that is not in the list is errSecMissingEntitlement in all four calls")
  func foreignGroup() throws {
    let keychain = try TestKeychain(groups: ["team.first"])
    for group in ["first", "TEAM.first", "team.first ", "", "com.apple.token", "*"] {
      keychain.expectInAllCalls(password("a", ["agrp": group]), errSecMissingEntitlement)
    }
  }

  @Test(
    "an item in a group that a client lacks is invisible to it, and its own add is another item"
  )
  func invisible() throws {
    let first = try TestKeychain(groups: ["one", "two"])
    let second = try first.client(groups: ["two"])
    #expect(first.add(password("a", ["v_Data": Data("one".utf8)])) == errSecSuccess)
    #expect(second.copy(password("a")).status == errSecItemNotFound)
    #expect(second.update(password("a"), to: ["labl": "x"]) == errSecItemNotFound)
    #expect(second.delete(password("a")) == errSecItemNotFound)
    #expect(second.add(password("a", ["v_Data": Data("two".utf8)])) == errSecSuccess)
    #expect(second.delete(["class": "genp"]) == errSecSuccess)
    #expect(try first.data(of: password("a")) == Data("one".utf8))
  }

  @Test("a client without groups is refused by all four calls")
  func noGroups() throws {
    let keychain = try TestKeychain(groups: [])
    keychain.expectInAllCalls(password("a"), errSecMissingEntitlement)
  }
}
