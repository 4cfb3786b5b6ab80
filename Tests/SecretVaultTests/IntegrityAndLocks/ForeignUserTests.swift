import Foundation
import Glibc
import SecretVault
import Testing

/// Becomes another user in a child process, which only root can.
@Suite("Another user", .enabled(if: geteuid() == 0, "only root can become another user"))
struct ForeignUserTests {
  private let vault: TemporaryVault
  private let child: ChildVault

  /// A vault with one item, closed.
  init() throws {
    vault = try TemporaryVault()
    child = ChildVault(vault)
    let store = try vault.create()
    try store.write(1, "base")
    try store.closeDrained()
  }

  /// Who owns what, below the test's folder.
  private func owners() throws -> Set<Int> {
    let names = try [""] + FileManager.default.subpathsOfDirectory(atPath: vault.folder)
    let owners = try names.map { name in
      let path = vault.folder + "/" + name
      return try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int
    }
    return Set(owners.compactMap { $0 })
  }

  private func giveAway() throws {
    let names = try [""] + FileManager.default.subpathsOfDirectory(atPath: vault.folder)
    for name in names {
      #expect(unsafe chown(vault.folder + "/" + name, 65_534, 65_534) == 0)
    }
  }

  @Test("F-5: root does not touch a user's vault, and leaves no file of its own there")
  func rootOnUsersVault() throws {
    try giveAway()
    let error = #expect(throws: VaultError(.insecureFile)) { try vault.open() }
    #expect(error?.message.contains("belongs to another user") == true)
    #expect(throws: VaultError(.insecureFile)) {
      try SecretStore.create(
        at: vault.folder + "/other.vault",
        protectedBy: [SecretStore.NewSlot(vault.credential)],
        options: vault.options
      )
    }
    #expect(try owners() == [65_534])
  }

  @Test("F-5: root opens a user's vault with the flag")
  func rootWithFlag() throws {
    try giveAway()
    var options = vault.options
    options.allowsForeignOwner = true
    let store = try SecretStore.open(at: vault.path, options: options)
    try store.unlock(with: vault.credential)
    #expect(try store.items().items.count == 1)
  }

  /// Where a state folder cannot be made.
  enum Unwritable: String, CaseIterable, Codable {
    /// The home of a service, as its distribution makes it.
    case missingHome
    case closedHome
    case readOnlyFolder

    func path(_ child: ChildVault) -> String {
      switch self {
      case .missingHome: "/nonexistent/.local/state/secretvault"
      case .closedHome: "/root/.local/state/secretvault"
      case .readOnlyFolder: child.statePath
      }
    }
  }

  @Test(
    "a user who can make no state folder has the vault all the same, with a notice",
    arguments: Unwritable.allCases
  )
  func noStateFolder(_ kind: Unwritable) async throws {
    try FileManager.default.removeItem(atPath: vault.statePath)
    #expect(unsafe mkdir(vault.statePath, 0o500) == 0)
    try giveAway()
    await #expect(processExitsWith: .success) {
      [child = child as ChildVault, kind = kind as Unwritable] in
      #expect(setreuid(65_534, 65_534) == 0)
      var options = child.options
      options.stateDirectory = kind.path(child)
      let store = try SecretStore.open(at: child.path, options: options)
      try await store.unlock(with: child.credential)
      #expect(store.takeNotices() == [.anchorUnavailable])
      #expect(try await store.items().items.count == 1)
      let bound = SecretItem(
        identity: ItemIdentity(service: "bound"),
        accessibility: .whenUnlockedThisDeviceOnly
      )
      await #expect(throws: VaultError(.notOnThisDevice)) {
        try await store.add(bound, secret: nil)
      }
      options.requiresAnchor = true
      let error = #expect(throws: VaultError(.inputOutput)) {
        try SecretStore.open(at: child.path, options: options)
      }
      #expect(error?.message.contains("state folder") == true)
    }
  }

  /// Which of the two user ids of a process is another one.
  enum Difference: String, CaseIterable, Codable {
    case realUser
    case effectiveUser
  }

  @Test("F-5: a process with the rights of two users is refused", arguments: Difference.allCases)
  func twoUsers(_ difference: Difference) async throws {
    if difference == .effectiveUser { try giveAway() }
    await #expect(processExitsWith: .success) {
      [child = child as ChildVault, difference = difference as Difference] in
      let other: uid_t = 65_534
      switch difference {
      case .realUser: #expect(setreuid(other, 0) == 0)
      case .effectiveUser: #expect(seteuid(other) == 0)
      }
      #expect(getuid() != geteuid())
      let error = #expect(throws: VaultError(.insecureFile)) { try child.open() }
      #expect(error?.message.contains("real and effective user differ") == true)
      #expect(throws: VaultError(.insecureFile)) {
        try SecretStore.create(
          at: child.path + ".other",
          protectedBy: [SecretStore.NewSlot(child.credential)],
          options: child.options
        )
      }
      var options = child.options
      options.allowsForeignOwner = true
      #expect(throws: Never.self) { try SecretStore.open(at: child.path, options: options) }
    }
    #expect(!FileManager.default.fileExists(atPath: vault.path + ".other"))
  }

  @Test("F-5: a vault of root in an open folder is not for others")
  func usersOnRootsVault() async {
    #expect(unsafe chmod(vault.folder, 0o755) == 0)
    await #expect(processExitsWith: .success) { [child = child as ChildVault] in
      #expect(setgid(65_534) == 0 && setuid(65_534) == 0)
      #expect(throws: VaultError(.insecureFile)) { try child.open() }
    }
  }
}
