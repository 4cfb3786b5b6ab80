import SecretVault
import Security
import Testing

/// Section 6 of the fact table: when items can be used.
@Suite("Facts of accessibility")
struct AccessibilityFacts {
  private static let classes = ["ak", "ck", "aku", "cku", "dk", "dku"]

  @Test("what is always usable on Apple's devices is kept as usable from the first unlock on")
  func always() throws {
    let keychain = try TestKeychain()
    for (given, kept) in [("dk", "ck"), ("dku", "cku")] {
      #expect(keychain.add(password(given, ["pdmn": given])) == errSecSuccess)
      #expect(try keychain.attributes(of: password(given))["pdmn"] as? String == kept)
      #expect(keychain.copy(password(given, ["pdmn": given])).status == errSecSuccess)
    }
  }

  @Test("a locked item of each class answers as its class does", arguments: classes)
  func locked(accessible: String) throws {
    let keychain = try TestKeychain()
    let isOpen = !accessible.hasPrefix("a")
    let expected = isOpen ? errSecSuccess : errSecInteractionNotAllowed
    let item = password("a", ["pdmn": accessible, "v_Data": Data("x".utf8)])
    #expect(keychain.add(item) == errSecSuccess)
    keychain.lock()
    #expect(keychain.copy(password("a", ["r_Data": true])).status == expected)
    #expect(keychain.add(password("b", ["pdmn": accessible])) == expected)
    #expect(keychain.update(password("a"), to: ["labl": "x"]) == expected)
    try keychain.unlock()
    #expect(try keychain.data(of: password("a")) == Data("x".utf8))
  }

  @Test("before the first unlock no class can be used", arguments: classes)
  func beforeFirstUnlock(accessible: String) throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["pdmn": accessible])) == errSecSuccess)
    keychain.lockAsBeforeFirstUnlock()
    #expect(keychain.copy(password("a")).status == errSecInteractionNotAllowed)
    let added = keychain.add(password("b", ["pdmn": accessible]))
    #expect(added == errSecInteractionNotAllowed)
    let changed = keychain.update(password("a"), to: ["labl": "x"])
    #expect(changed == errSecInteractionNotAllowed)
    try keychain.unlock()
    #expect(keychain.copy(password("a")).status == errSecSuccess)
  }

  @Test("without a passphrase in the vault, akpu cannot be stored; with one it can")
  func passcode() throws {
    let without = try TestKeychain()
    #expect(without.add(password("a", ["pdmn": "akpu"])) == errSecAuthFailed)
    #expect(without.copy(password("a")).status == errSecItemNotFound)
    let with = try TestKeychain(passphrase: "correct horse")
    #expect(with.add(password("a", ["pdmn": "akpu"])) == errSecSuccess)
    with.lock()
    #expect(with.copy(password("a")).status == errSecInteractionNotAllowed)
  }

  @Test("the lock takes effect at once")
  func lockAtOnce() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a")) == errSecSuccess)
    keychain.lock()
    #expect(keychain.copy(password("a")).status == errSecInteractionNotAllowed)
  }

  @Test("an update moves an item between classes both ways")
  func moving() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["pdmn": "ak"])) == errSecSuccess)
    #expect(keychain.update(password("a"), to: ["pdmn": "cku"]) == errSecSuccess)
    keychain.lock()
    #expect(keychain.copy(password("a")).status == errSecSuccess)
    let back = keychain.update(password("a"), to: ["pdmn": "ak"])
    #expect(back == errSecInteractionNotAllowed)
    try keychain.unlock()
    #expect(keychain.update(password("a"), to: ["pdmn": "ak"]) == errSecSuccess)
    keychain.lock()
    #expect(keychain.copy(password("a")).status == errSecInteractionNotAllowed)
  }

  @Test("a synchronizable item of this device only is a wrong parameter")
  func synchronizable() throws {
    let keychain = try TestKeychain()
    for accessible in ["aku", "cku", "dku", "akpu"] {
      let item = password("a", ["sync": true, "pdmn": accessible])
      #expect(keychain.add(item) == errSecParam)
    }
    for accessible in ["ak", "ck", "dk"] {
      let item = password(accessible, ["sync": true, "pdmn": accessible])
      #expect(keychain.add(item) == errSecSuccess)
    }
    let query = password("ak", ["sync": true])
    #expect(keychain.update(query, to: ["pdmn": "aku"]) == errSecParam)
  }

  @Test("a class that is not public is a wrong parameter")
  func privateClass() throws {
    let keychain = try TestKeychain()
    #expect(keychain.add(password("a", ["pdmn": "f"])) == errSecParam)
  }

  @Test("removing the last passphrase deletes the items that need one")
  func passcodeRemoved() throws {
    let keychain = try TestKeychain(passphrase: "correct horse")
    #expect(keychain.add(password("a", ["pdmn": "akpu"])) == errSecSuccess)
    #expect(keychain.add(password("b", ["pdmn": "aku"])) == errSecSuccess)
    let administration = try keychain.store.administration(with: keychain.credential)
    let slot = try #require(try administration.slots().first { $0.needsPassphrase })
    #expect(try administration.removeSlot(slot.id) == 1)
    #expect(keychain.copy(password("a")).status == errSecItemNotFound)
    #expect(keychain.copy(password("b")).status == errSecSuccess)
    #expect(keychain.add(password("a", ["pdmn": "akpu"])) == errSecAuthFailed)
  }

  @Test("changing the passphrase keeps the items that need one")
  func passcodeChanged() throws {
    let keychain = try TestKeychain(passphrase: "correct horse")
    #expect(keychain.add(password("a", ["pdmn": "akpu"])) == errSecSuccess)
    let old = try SecretBytes(copying: Array("correct horse".utf8))
    let administration = try keychain.store.administration(with: .passphrase(old))
    let new = try SecretBytes(copying: Array("battery staple".utf8))
    _ = try administration.changePassphrase(to: new, log2N: 15)
    #expect(keychain.copy(password("a")).status == errSecSuccess)
  }
}
