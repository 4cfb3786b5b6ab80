import Foundation
import Glibc
import SecretVault
import Testing

/// How the files of a shared vault are made, and what it can hold.
@Suite("A vault that a Unix group shares")
struct SharedVaultTests {
  private let vault: TemporaryVault
  private let shared: SharedVault

  init() throws {
    vault = try TemporaryVault()
    shared = SharedVault(vault)
  }

  private func expectShared(_ names: [String]) throws {
    #expect(try shared.names() == names)
    for name in names {
      let status = try shared.status(name)
      #expect(status.st_gid == SharedVault.group.number, "\(name)")
      #expect(status.st_mode & 0o7777 == (name == "." ? 0o2770 : 0o660), "\(name)")
    }
  }

  @Test(
    "its files are 0660 in a 2770 folder, of the group, under any umask",
    arguments: [0, 0o22, 0o77]
  )
  func modes(_ mask: Int) async throws {
    await #expect(processExitsWith: .success) {
      [shared = shared as SharedVault, mask = mask as Int] in
      umask(mode_t(mask))
      let store = try shared.create()
      try await store.set(SecretBytes("token"), for: ItemIdentity(service: "api.example.com"))
      store.close()
    }
    try expectShared([".", "test.vault", "test.vault-shm", "test.vault-wal", "test.vault.lock"])
  }

  @Test("log, its index and lock file are made anew as the others are", arguments: [0, 0o77])
  func madeAnew(_ mask: Int) async throws {
    try shared.create().close()
    for suffix in ["-wal", "-shm", ".lock"] { #expect(unsafe unlink(shared.path + suffix) == 0) }
    await #expect(processExitsWith: .success) {
      [shared = shared as SharedVault, mask = mask as Int] in
      umask(mode_t(mask))
      let store = try shared.openUnlocked()
      try await store.set(SecretBytes("token"), for: ItemIdentity(service: "api.example.com"))
      store.close()
    }
    try expectShared([".", "test.vault", "test.vault-shm", "test.vault-wal", "test.vault.lock"])
  }

  @Test("what the machine remembers stays private to the user")
  func state() throws {
    try shared.create().close()
    for name in try FileManager.default.subpathsOfDirectory(atPath: shared.statePath) {
      let path = shared.statePath + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let mode = try #require(attributes[.posixPermissions] as? Int)
      #expect(mode & 0o77 == 0, "\(name)")
    }
  }

  @Test("a private copy of it opens like any vault")
  func privateCopy() throws {
    let store = try shared.create()
    try store.write(1, "base")
    try store.closeDrained()
    let contents = try Data(contentsOf: URL(fileURLWithPath: shared.path))
    try vault.writePrivately(contents, to: vault.path)
    let copy = try vault.openUnlocked()
    #expect(try copy.items().items.count == 1)
    #expect(throws: VaultError(.accessibilityRefused)) {
      try shared.openUnlocked().set(
        SecretBytes("x"),
        for: ItemIdentity(service: "s"),
        accessibility: .whenUnlockedThisDeviceOnly
      )
    }
  }

  @Test("the classes of one device are refused", arguments: Accessibility.allCases)
  func deviceClasses(_ accessibility: Accessibility) throws {
    let store = try shared.create()
    let item = ItemIdentity(service: "api.example.com")
    let code = TemporaryVault.code {
      try store.set(SecretBytes("token"), for: item, accessibility: accessibility)
    }
    let isOfDevice = accessibility.rawValue.hasSuffix("ThisDeviceOnly")
    #expect(code == (isOfDevice ? .accessibilityRefused : nil))
  }

  @Test("a folder of which the one above is missing is not made")
  func missingFolders() throws {
    var options = shared.options()
    options.sharedWith = SharedVault.group
    let path = vault.folder + "/missing/shared/test.vault"
    #expect(throws: VaultError(.inputOutput)) {
      try SecretStore.create(
        at: path,
        protectedBy: [SecretStore.NewSlot(shared.credential)],
        options: options
      )
    }
    #expect(!FileManager.default.fileExists(atPath: vault.folder + "/missing"))
  }

  @Test("a change of slots keeps the group in the head")
  func keptByChanges() throws {
    let store = try shared.create()
    let administration = try store.administration(with: shared.credential)
    try administration.addSlot(.passphrase("correct horse"))
    try administration.createGroup("work")
    store.close()
    #expect(try shared.openUnlocked().openedGroups.sorted() == ["default", "work"])
  }
}

/// What names a Unix group.
@Suite("The name of a Unix group")
struct UnixGroupTests {
  @Test("a group is found by its name, or by its number")
  func found() throws {
    #expect(try UnixGroup("root") == UnixGroup(number: 0))
    #expect(try UnixGroup("61100") == UnixGroup(number: 61_100))
  }

  @Test(
    "what names no group is refused",
    arguments: ["", "no-such-group", "-1", "4294967295", "4294967296", "root:x", " root"]
  )
  func refused(_ name: String) {
    #expect(throws: VaultError(.invalidArgument)) { try UnixGroup(name) }
  }
}
