import Foundation
import SecretVault
import Security
import Testing

/// `SecItemUpdate`, section 5.1 of the fact table.
@Suite("Updating")
struct UpdatingTests {
  private func keychain() throws -> TestKeychain {
    let keychain = try TestKeychain()
    for account in ["a", "b", "c"] {
      let item = password(account, ["v_Data": Data(account.utf8), "labl": "l", "icmt": "c"])
      #expect(keychain.add(item) == errSecSuccess)
    }
    return keychain
  }

  @Test("a class, a match or a return key among the changes is no attribute")
  func foreignChanges() throws {
    let keychain = try keychain()
    let foreign: [[String: Any]] = [
      ["class": "genp"], ["r_Data": true], ["m_Limit": kSecMatchLimitOne], ["srvr": "x"],
      ["u_OpPrompt": "why"],
    ]
    for change in foreign {
      #expect(keychain.update(password("a"), to: change) == errSecNoSuchAttr, "\(change)")
    }
    let wrong: [[String: Any]] = [
      ["v_Data": "text"], ["labl": NSNull()], ["v_Data": NSNull()], ["v_Ref": "x"], ["pdmn": "x"],
      ["v_PersistentRef": Data(count: 20)],
    ]
    for change in wrong {
      #expect(keychain.update(password("a"), to: change) == errSecParam, "\(change)")
    }
    #expect(try attributes("a", keychain)["labl"] as? String == "l")
  }

  @Test("the modification always moves on, and the creation stays unless it is given")
  func dates() throws {
    let keychain = try keychain()
    var last = try #require(try attributes("a", keychain)["mdat"] as? Date)
    let created = try attributes("a", keychain)["cdat"] as? Date
    for round in 0..<20 {
      let changes: [String: Any] = round.isMultiple(of: 2) ? ["labl": "x"] : [:]
      #expect(keychain.update(password("a"), to: changes) == errSecSuccess)
      let found = try attributes("a", keychain)
      let next = try #require(found["mdat"] as? Date)
      #expect(next.timeIntervalSince(last) >= 0.0009)
      #expect(found["cdat"] as? Date == created)
      last = next
    }
    let other = Date(timeIntervalSince1970: 1_000_000)
    #expect(keychain.update(password("a"), to: ["cdat": other, "mdat": other]) == errSecSuccess)
    #expect(try attributes("a", keychain)["cdat"] as? Date == other)
    #expect(try #require(try attributes("a", keychain)["mdat"] as? Date) > last)
  }

  @Test("an item stays without a value until an update gives it one")
  func value() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a")) == errSecSuccess)
    #expect(keychain.update(password("a"), to: ["labl": "x"]) == errSecSuccess)
    #expect(keychain.copy(password("a", ["r_Data": true])).result == nil)
    #expect(keychain.update(password("a"), to: ["v_Data": Data()]) == errSecSuccess)
    #expect(keychain.copy(password("a", ["r_Data": true])).result as? Data == Data())
  }

  @Test("an item that is to be synchronizable and bound to this device is a wrong parameter")
  func synchronizableAndBound() throws {
    let keychain = try keychain()
    #expect(keychain.add(password("d", ["sync": true, "pdmn": "aku"])) == errSecParam)
    #expect(keychain.update(password("a"), to: ["pdmn": "cku"]) == errSecSuccess)
    #expect(keychain.update(password("a"), to: ["sync": true]) == errSecParam)
    #expect(keychain.add(password("e", ["sync": true])) == errSecSuccess)
    #expect(keychain.update(password("e", ["sync": true]), to: ["pdmn": "aku"]) == errSecParam)
    #expect(keychain.copy(password("a")).status == errSecSuccess)
  }

  private func attributes(_ account: String, _ keychain: TestKeychain) throws -> [String: Any] {
    let query = password(account, ["r_Attributes": true, "r_Data": true])
    return try #require(keychain.copy(query).result as? [String: Any])
  }
}
