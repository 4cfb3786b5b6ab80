import Foundation
import Glibc
import SecretVault
import Testing

/// Where a program keeps its state, and how the folder comes to be.
@Suite("The place of the state folder")
struct StatePathTests {
  @Test("of several state directories that a service manager names, the first is taken")
  func severalDirectories() async throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      unsafe unsetenv("SECRETVAULT_STATE")
      unsafe setenv("STATE_DIRECTORY", child.statePath + ":" + child.statePath + "-of-others", 1)
      var options = SecretStore.Options()
      options.requiresAnchor = true
      let store = try SecretStore.open(at: child.path, options: options)
      try await store.unlock(with: child.credential)
      store.close()
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: vault.folder).count {
        $0.hasPrefix("state")
      } == 1
    )
  }

  @Test("without a state folder a store says so, and is refused where an anchor is required")
  func noFolder() async throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    await #expect(processExitsWith: .success) { [child = ChildVault(vault) as ChildVault] in
      for name in ["SECRETVAULT_STATE", "STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"] {
        unsafe unsetenv(name)
      }
      var options = SecretStore.Options()
      let store = try SecretStore.open(at: child.path, options: options)
      try await store.unlock(with: child.credential)
      #expect(store.takeNotices() == [.anchorUnavailable])
      options.requiresAnchor = true
      let error = #expect(throws: VaultError(.inputOutput)) {
        try SecretStore.open(at: child.path, options: options)
      }
      #expect(error?.message.contains("state folder") == true)
    }
  }

  @Test("a state folder that is a link is told as such, not as the folder of the vault")
  func linkedFolder() throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    let aside = vault.statePath + "-aside"
    #expect(unsafe rename(vault.statePath, aside) == 0)
    #expect(unsafe symlink(aside, vault.statePath) == 0)
    let error = #expect(throws: VaultError(.insecureFile)) { try vault.openUnlocked() }
    #expect(error?.message.contains("the state folder") == true)
  }

  @Test("missing folders are made, also one whose name combines with the slash before it")
  func folderNames() throws {
    let vault = try TemporaryVault()
    try vault.create().close()
    var options = vault.options
    options.stateDirectory = vault.folder + "/new/\u{301}user/secretvault"
    let store = try SecretStore.open(at: vault.path, options: options)
    try store.unlock(with: vault.credential)
    #expect(store.takeNotices() == [.firstSeen])
    #expect(FileManager.default.fileExists(atPath: vault.folder + "/new/\u{301}user/secretvault"))
  }

  @Test(
    "a state folder that is refused leaves no new vault behind, and its repair is all it takes",
    arguments: ["/anchors", "/device.key", ""]
  )
  func refusedCreation(_ part: String) throws {
    let vault = try TemporaryVault()
    let earlier = vault.folder + "/earlier.vault"
    let slots = [SecretStore.NewSlot(vault.credential)]
    try SecretStore.create(at: earlier, protectedBy: slots, options: vault.options).close()
    #expect(unsafe chmod(vault.statePath + part, 0o755) == 0)
    #expect(throws: VaultError(.insecureFile)) { try vault.create() }
    #expect(!FileManager.default.fileExists(atPath: vault.path))
    #expect(unsafe chmod(vault.statePath + part, part == "/device.key" ? 0o600 : 0o700) == 0)
    try vault.create().close()
  }

  @Test("a state folder that may not be made is told; where an anchor is required no vault is left")
  func deniedFolder() throws {
    let vault = try TemporaryVault()
    var options = vault.options
    // Nobody makes folders here, root neither.
    options.stateDirectory = "/sys/secretvault"
    options.requiresAnchor = true
    let slots = [SecretStore.NewSlot(vault.credential)]
    let error = #expect(throws: VaultError(.inputOutput)) {
      try SecretStore.create(at: vault.path, protectedBy: slots, options: options)
    }
    #expect(error?.message.contains("state folder") == true)
    #expect(!FileManager.default.fileExists(atPath: vault.path))
    options.requiresAnchor = false
    let store = try SecretStore.create(at: vault.path, protectedBy: slots, options: options)
    #expect(store.takeNotices().contains(.anchorUnavailable))
  }
}
