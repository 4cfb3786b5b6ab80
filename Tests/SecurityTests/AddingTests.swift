import Foundation
import SecretVault
import Security
import TestSupport
import Testing

/// `SecItemAdd`, as far as it is the vault's: what is kept, and what is too much.
@Suite("Adding")
struct AddingTests {
  @Test("a value of the largest size is stored, and a longer one or a longer name is too large")
  func sizes() throws {
    let keychain = try TestKeychain()
    let largest = Data(repeating: 7, count: 1_048_576)
    #expect(keychain.add(password("a", ["v_Data": largest])) == errSecSuccess)
    #expect(keychain.copy(password("a", ["r_Data": true])).result as? Data == largest)
    #expect(keychain.add(password("b", ["v_Data": largest + [7]])) == errSecDataTooLarge)
    let name = String(repeating: "n", count: 65_537)
    #expect(keychain.add(password(name)) == errSecDataTooLarge)
    #expect(keychain.update(password("a"), to: ["v_Data": largest + [7]]) == errSecDataTooLarge)
    #expect(keychain.copy(password("a", ["r_Data": true])).result as? Data == largest)
    #expect(keychain.copy(password("b")).status == errSecItemNotFound)
  }

  @Test("a value of any greater size is too large, and not a want of locked memory")
  func farTooLarge() async {
    await #expect(processExitsWith: .success) {
      let keychain = try TestKeychain()
      limitLockedMemory(to: 4 * 1_048_576)
      let value = Data(repeating: 7, count: 16 * 1_048_576)
      let item = password("a", ["v_Data": value])
      exit(keychain.add(item) == errSecDataTooLarge ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("numbers at their ends are kept, and those beyond are a wrong parameter")
  func numbers() throws {
    let keychain = try TestKeychain()
    let largest: [String: Any] = [
      "crtr": UInt32.max, "type": UInt32.max, "invi": 255, "nega": 0, "gena": Int64.min,
    ]
    #expect(keychain.add(password("a", largest)) == errSecSuccess)
    let found = keychain.copy(password("a", ["r_Attributes": true])).result as? [String: Any]
    #expect(found?["crtr"] as? UInt32 == UInt32.max)
    #expect(found?["invi"] as? Int == 255)
    #expect(found?["gena"] as? Int64 == Int64.min)
    let beyond: [[String: Any]] = [
      ["crtr": UInt64(UInt32.max) + 1], ["type": -1], ["invi": 256], ["crtr": "abcd"],
      ["type": 1.5], ["type": Double.nan], ["labl": Double.infinity], ["labl": 1.5],
      ["crtr": UInt64.max],
    ]
    for pair in beyond { #expect(keychain.add(password("b", pair)) == errSecParam, "\(pair)") }
    for port in [65_536, -1] {
      #expect(keychain.add(["class": "inet", "port": port]) == errSecParam)
    }
    #expect(keychain.add(["class": "inet", "port": 65_535]) == errSecSuccess)
  }

  @Test("dates before 1970 and beyond all time do not end the program")
  func dates() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a")) == errSecSuccess)
    let dates = [
      Date.distantPast, Date.distantFuture, Date(timeIntervalSince1970: -.infinity),
      Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: .nan),
      Date(timeIntervalSince1970: 1e300),
    ]
    for date in dates {
      let status = keychain.copy(password("a", ["cdat": date])).status
      #expect([errSecSuccess, errSecItemNotFound, errSecParam].contains(status))
      let changed = keychain.update(password("a"), to: ["cdat": date])
      #expect([errSecSuccess, errSecParam].contains(changed))
    }
  }

  @Test("the value is in the file in no readable form, nor are the names")
  func sealed() throws {
    let keychain = try TestKeychain()
    let secret = "plain-value-5d1f"
    let name = "plain-name-77aa"
    #expect(
      keychain.add(password(name, ["v_Data": Data(secret.utf8), "labl": name])) == errSecSuccess
    )
    for end in ["", "-wal"] {
      let bytes = try Data(contentsOf: URL(filePath: keychain.path + end))
      #expect(!bytes.isEmpty)
      #expect(bytes.range(of: Data(secret.utf8)) == nil)
      #expect(bytes.range(of: Data(name.utf8)) == nil)
    }
  }

  @Test("an item of another device is not found, and its name is taken")
  func otherDevice() throws {
    let keychain = try TestKeychain()
    let bound = password("a", ["pdmn": "cku", "v_Data": Data("there".utf8)])
    #expect(keychain.add(bound) == errSecSuccess)
    keychain.store.close()
    try FileManager.default.removeItem(atPath: keychain.statePath)
    let elsewhere = try TestKeychain(reopening: keychain, groups: ["default"])
    #expect(elsewhere.copy(password("a", ["r_Data": true])).status == errSecItemNotFound)
    #expect(elsewhere.copy(["class": "genp", "acct": "a"]).status == errSecItemNotFound)
    #expect(elsewhere.update(password("a"), to: ["labl": "x"]) == errSecItemNotFound)
    #expect(elsewhere.delete(password("a")) == errSecItemNotFound)
    #expect(elsewhere.add(password("a")) == errSecDuplicateItem)
  }

  @Test("a vault that cannot be written says read-only")
  func readOnly() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["v_Data": Data([1])])) == errSecSuccess)
    var options = SecretStore.Options()
    options.isReadOnly = true
    options.stateDirectory = keychain.statePath
    let store = try SecretStore.open(at: keychain.path, options: options)
    try store.unlock(with: keychain.credential)
    let reading = Keychain(store, accessGroups: ["default"])
    SharedKeychain.$override.withValue(reading) {
      #expect(SecItemAdd(password("b") as CFDictionary, nil) == errSecReadOnly)
      #expect(SecItemDelete(password("a") as CFDictionary) == errSecReadOnly)
      #expect(SecItemCopyMatching(password("a") as CFDictionary, nil) == errSecSuccess)
    }
  }
}
