import Foundation
import SecretVault
import Security
import TestSupport
import Testing

/// How a program finds its keychain: by one call, by environment variables, or not at all.
@Suite("Set-up")
struct SetUpTests {
  @Test("a vault and its key file are found by variables, and the default group is used")
  func keyFile() throws {
    let vault = try NamedVault()
    let keychain = try KeychainEnvironment(vault.variables).open()
    #expect(keychain.groups == ["default"])
    #expect(roundTrip(keychain) == [errSecSuccess, errSecSuccess])
  }

  @Test("the default vault is under the data folder, or under home")
  func defaultPlace() throws {
    let vault = try NamedVault(at: "share/secretvault/default.vault")
    var variables = vault.variables
    variables["SECRETVAULT_PATH"] = nil
    variables["XDG_DATA_HOME"] = vault.folder.path("share")
    #expect(roundTrip(try KeychainEnvironment(variables).open()) == [errSecSuccess, errSecSuccess])
    let home = try NamedVault(at: ".local/share/secretvault/default.vault")
    variables = home.variables
    variables["SECRETVAULT_PATH"] = nil
    variables["XDG_DATA_HOME"] = "relative"
    variables["HOME"] = home.folder.path
    #expect(roundTrip(try KeychainEnvironment(variables).open()) == [errSecSuccess, errSecSuccess])
  }

  @Test("a passphrase file opens it, with and without a newline", arguments: ["", "\n"])
  func passphraseFile(end: String) throws {
    let vault = try NamedVault(passphrase: "open it")
    var variables = vault.variables
    variables["SECRETVAULT_KEY_FILE"] = nil
    variables["SECRETVAULT_PASSPHRASE_FILE"] = try vault.folder.write("open it" + end, to: "pass")
    #expect(roundTrip(try KeychainEnvironment(variables).open()) == [errSecSuccess, errSecSuccess])
  }

  @Test("the credentials of a service open it: a key, a passphrase, or both for one slot")
  func serviceCredentials() throws {
    let vault = try NamedVault(passphrase: "open it", needsBoth: true)
    let both = vault.variables.filter { $0.key != "SECRETVAULT_KEY_FILE" }
      .merging(["CREDENTIALS_DIRECTORY": vault.folder.path]) { $1 }
    try vault.folder.write(vault.keyFile.copied(as: [UInt8].self), to: "secretvault.key")
    #expect(throws: VaultError(.credentialRejected)) { try KeychainEnvironment(both).open() }
    try vault.folder.write("open it\n", to: "secretvault.passphrase")
    #expect(roundTrip(try KeychainEnvironment(both).open()) == [errSecSuccess, errSecSuccess])
  }

  @Test("a variable that is empty counts as unset")
  func emptyVariables() throws {
    let vault = try NamedVault(passphrase: "open it")
    var variables = vault.variables
    variables["SECRETVAULT_KEY_FILE"] = ""
    variables["SECRETVAULT_PASSPHRASE_FILE"] = try vault.folder.write("open it", to: "pass")
    variables["CREDENTIALS_DIRECTORY"] = ""
    #expect(roundTrip(try KeychainEnvironment(variables).open()) == [errSecSuccess, errSecSuccess])
  }

  @Test("a credential that others can read is refused")
  func insecureFile() throws {
    let vault = try NamedVault(passphrase: "open it")
    var variables = vault.variables
    variables["SECRETVAULT_KEY_FILE"] = nil
    variables["SECRETVAULT_PASSPHRASE_FILE"] = try vault.folder.write(
      "open it",
      to: "pass",
      mode: 0o644
    )
    #expect(throws: VaultError(.insecureFile)) { try KeychainEnvironment(variables).open() }
  }

  @Test("listed groups that do not exist are made, and the first is the default")
  func groupsAreMade() throws {
    let vault = try NamedVault()
    var variables = vault.variables
    variables["SECRETVAULT_ACCESS_GROUPS"] = "team.one:team.two:team.one"
    for _ in 0..<2 {
      let keychain = try KeychainEnvironment(variables).open()
      #expect(keychain.groups == ["team.one", "team.two"])
      #expect(roundTrip(keychain) == [errSecSuccess, errSecSuccess])
      let names = try vault.openedGroups()
      #expect(Set(names) == ["default", "team.one", "team.two"])
      SharedKeychain.$override.withValue(keychain) {
        let query: [String: Any] = ["class": "genp", "agrp": "team.one"]
        #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
      }
    }
  }

  @Test("an empty list of groups is an entitlement to none")
  func emptyList() throws {
    let vault = try NamedVault()
    var variables = vault.variables
    variables["SECRETVAULT_ACCESS_GROUPS"] = ""
    let keychain = try KeychainEnvironment(variables).open()
    #expect(roundTrip(keychain) == [errSecMissingEntitlement, errSecMissingEntitlement])
  }

  @Test("a credential of one group uses that one, and makes none that is listed besides")
  func credentialOfOneGroup() throws {
    let vault = try NamedVault()
    let key = try vault.addKeyFile(ofGroup: "only")
    var variables = vault.variables
    variables["SECRETVAULT_KEY_FILE"] = key
    #expect(try KeychainEnvironment(variables).open().groups == ["only"])
    variables["SECRETVAULT_ACCESS_GROUPS"] = "only:more"
    let keychain = try KeychainEnvironment(variables).open()
    SharedKeychain.$override.withValue(keychain) {
      let named: [String: Any] = ["class": "genp", "agrp": "only"]
      #expect(SecItemAdd(named as CFDictionary, nil) == errSecSuccess)
      let more: [String: Any] = ["class": "genp", "agrp": "more"]
      #expect(SecItemAdd(more as CFDictionary, nil) == errSecMissingEntitlement)
    }
    #expect(Set(try vault.openedGroups()) == ["default", "only"])
  }

  @Test("a vault that lost its keys is unlocked again with the credential of its set-up")
  func unlockedAgain() throws {
    let vault = try NamedVault()
    let state = ForgetfulState(credential: .keyFile(contents: vault.keyFile))
    let store = try SecretStore.open(at: vault.path, lockState: state, options: vault.options)
    let keychain = Keychain(store, accessGroups: ["default"])
    #expect(roundTrip(keychain) == [errSecSuccess, errSecSuccess])
    state.forgetKeys()
    #expect(store.lockState == .beforeFirstUnlock)
    SharedKeychain.$override.withValue(keychain) {
      let query: [String: Any] = ["class": "genp"]
      #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess)
    }
  }

  @Test("a vault that lost its keys and has no credential left is locked until there is one again")
  func credentialGone() throws {
    let vault = try NamedVault()
    let keychain = try KeychainEnvironment(vault.variables).open()
    #expect(roundTrip(keychain) == [errSecSuccess, errSecSuccess])
    let other = try SecretStore.open(at: vault.path, options: vault.options)
    defer { other.close() }
    let credential = Credential.keyFile(contents: vault.keyFile)
    try other.unlock(with: credential)
    _ = try other.administration(with: credential).rotate()
    let key = vault.folder.path("key")
    let locked = [errSecInteractionNotAllowed, errSecInteractionNotAllowed]
    try FileManager.default.removeItem(atPath: key)
    #expect(roundTrip(keychain) == locked)
    let foreign = try Credential.makeKeyFile().copied(as: [UInt8].self)
    try vault.folder.write(foreign, to: "key")
    #expect(roundTrip(keychain) == locked)
    try vault.folder.write(vault.keyFile.copied(as: [UInt8].self), to: "key")
    #expect(roundTrip(keychain) == [errSecDuplicateItem, errSecSuccess])
  }

  private func roundTrip(_ keychain: Keychain) -> [OSStatus] {
    SharedKeychain.$override.withValue(keychain) {
      let item: [String: Any] = ["class": "genp", "acct": "a", "v_Data": Data([1])]
      let query: [String: Any] = ["class": "genp", "acct": "a"]
      return [
        SecItemAdd(item as CFDictionary, nil), SecItemCopyMatching(query as CFDictionary, nil),
      ]
    }
  }
}
