import Foundation
import SecretVault
import Security
import TestSupport
import Testing

/// How a process of its own finds its keychain, and what two of them see of one vault.
@Suite("Set-up of a process")
struct SetUpProcessTests {
  @Test("without a credential every call answers as a locked keychain, and one hint is printed")
  func nothingOpens() async throws {
    let result = await #expect(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) {
      for name in ["SECRETVAULT_KEY_FILE", "SECRETVAULT_PASSPHRASE_FILE", "CREDENTIALS_DIRECTORY"] {
        unsafe unsetenv(name)
      }
      let item: [String: Any] = ["class": "genp", "acct": "a"]
      let query = item as CFDictionary
      for _ in 0..<3 {
        #expect(SecItemAdd(query, nil) == errSecInteractionNotAllowed)
        #expect(SecItemCopyMatching(query, nil) == errSecInteractionNotAllowed)
        #expect(SecItemUpdate(query, [:] as CFDictionary) == errSecInteractionNotAllowed)
        #expect(SecItemDelete(query) == errSecInteractionNotAllowed)
      }
      let wrong: [String: Any] = ["acct": "a"]
      #expect(SecItemAdd(wrong as CFDictionary, nil) == errSecParam)
    }
    let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let hints = printed.split(separator: "\n").filter { $0.hasPrefix("Security: ") }
    #expect(hints.count == 1)
    #expect(hints.first?.contains("SECRETVAULT_KEY_FILE") == true)
  }

  @Test("a program that has closed its standard error gets its answer, and no hint")
  func closedStandardError() async throws {
    await #expect(processExitsWith: .success) {
      for name in ["SECRETVAULT_KEY_FILE", "SECRETVAULT_PASSPHRASE_FILE", "CREDENTIALS_DIRECTORY"] {
        unsafe unsetenv(name)
      }
      close(STDERR_FILENO)
      let query: [String: Any] = ["class": "genp", "acct": "a"]
      let status = SecItemCopyMatching(query as CFDictionary, nil)
      exit(status == errSecInteractionNotAllowed ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test("the variables of the process are read at its first call")
  func processVariables() async throws {
    let vault = try NamedVault()
    let path = vault.path
    let key = vault.folder.path("key")
    let state = vault.folder.path("state")
    await #expect(processExitsWith: .success) {
      [path = path as String, key = key as String, state = state as String] in
      unsafe setenv("SECRETVAULT_PATH", path, 1)
      unsafe setenv("SECRETVAULT_KEY_FILE", key, 1)
      unsafe setenv("SECRETVAULT_STATE", state, 1)
      unsafe setenv("SECRETVAULT_ACCESS_GROUPS", "one:two", 1)
      let item: [String: Any] = ["class": "genp", "acct": "a", "v_Data": Data([1, 2])]
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      let query: [String: Any] = ["class": "genp", "acct": "a", "agrp": "one", "r_Data": true]
      var result: AnyObject?
      #expect(unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
      #expect(result as? Data == Data([1, 2]))
    }
    #expect(Set(try vault.openedGroups()) == ["default", "one", "two"])
  }

  @Test("a vault that appears after the first call is found by the next, without another hint")
  func laterVault() async throws {
    let vault = try NamedVault()
    let (path, key, state) = (vault.path, vault.folder.path("key"), vault.folder.path("state"))
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = path as String, key = key as String, state = state as String] in
      unsafe setenv("SECRETVAULT_PATH", path, 1)
      unsafe setenv("SECRETVAULT_KEY_FILE", key, 1)
      unsafe setenv("SECRETVAULT_STATE", state, 1)
      let query = ["class": "genp", "acct": "a"] as CFDictionary
      #expect(unsafe rename(path, path + ".away") == 0)
      #expect(SecItemCopyMatching(query, nil) == errSecInteractionNotAllowed)
      #expect(SecItemCopyMatching(query, nil) == errSecInteractionNotAllowed)
      #expect(unsafe rename(path + ".away", path) == 0)
      #expect(SecItemCopyMatching(query, nil) == errSecItemNotFound)
    }
    let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(printed.split(separator: "\n").count { $0.hasPrefix("Security: ") } == 1)
  }

  @Test("one call sets the keychain of the process, in place of what the environment says")
  func oneCall() async throws {
    let vault = try NamedVault()
    let path = vault.path
    let key = vault.folder.path("key")
    let state = vault.folder.path("state")
    await #expect(processExitsWith: .success) {
      [path = path as String, key = key as String, state = state as String] in
      unsafe unsetenv("SECRETVAULT_KEY_FILE")
      let credential = try Credential.keyFile(at: key)
      var options = SecretStore.Options()
      options.stateDirectory = state
      let store = try SecretStore.open(at: path, options: options)
      try store.unlock(with: credential)
      let groups = ["app", "default"]
      try SharedKeychain.use(store, accessGroups: groups, makingGroupsWith: credential)
      let item: [String: Any] = ["class": "genp", "acct": "a", "agrp": "app"]
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      try SharedKeychain.use(store, accessGroups: ["default"])
      #expect(SecItemCopyMatching(item as CFDictionary, nil) == errSecMissingEntitlement)
    }
  }

  @Test("two processes with different lists over one vault each see their groups only")
  func twoProcesses() async throws {
    let vault = try NamedVault()
    var variables = vault.variables
    variables["SECRETVAULT_ACCESS_GROUPS"] = "mine:shared"
    let keychain = try KeychainEnvironment(variables).open()
    let byAccount: [String: Any] = ["class": "genp", "acct": "both"]
    SharedKeychain.$override.withValue(keychain) {
      #expect(
        SecItemAdd(password("a", ["v_Data": Data([1])]) as CFDictionary, nil) == errSecSuccess
      )
      #expect(
        SecItemAdd(password("both", ["agrp": "shared"]) as CFDictionary, nil) == errSecSuccess
      )
      #expect(SecItemCopyMatching(byAccount as CFDictionary, nil) == errSecSuccess)
    }
    let named = variables.merging(["SECRETVAULT_ACCESS_GROUPS": "yours:shared"]) { $1 }
    await #expect(processExitsWith: .success) { [named = named as [String: String]] in
      for (name, value) in named { unsafe setenv(name, value, 1) }
      let item = password("a", ["v_Data": Data([2])])
      #expect(SecItemCopyMatching(password("a") as CFDictionary, nil) == errSecItemNotFound)
      #expect(SecItemDelete(password("a") as CFDictionary) == errSecItemNotFound)
      let foreign = password("a", ["agrp": "mine"]) as CFDictionary
      #expect(SecItemCopyMatching(foreign, nil) == errSecMissingEntitlement)
      #expect(SecItemUpdate(foreign, [:] as CFDictionary) == errSecMissingEntitlement)
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
      #expect(SecItemDelete(password("both") as CFDictionary) == errSecSuccess)
    }
    #expect(try Set(vault.openedGroups()) == ["default", "mine", "yours", "shared"])
    SharedKeychain.$override.withValue(keychain) {
      var result: AnyObject?
      let query = password("a", ["r_Data": true]) as CFDictionary
      #expect(unsafe SecItemCopyMatching(query, &result) == errSecSuccess)
      #expect(result as? Data == Data([1]))
      let foreign = password("a", ["agrp": "yours"]) as CFDictionary
      #expect(SecItemCopyMatching(foreign, nil) == errSecMissingEntitlement)
      // The other process's removal is seen in the index of this one.
      #expect(SecItemCopyMatching(byAccount as CFDictionary, nil) == errSecItemNotFound)
    }
  }
}
