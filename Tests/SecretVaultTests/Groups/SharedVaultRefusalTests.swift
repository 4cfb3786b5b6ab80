import Foundation
import Glibc
import SecretVault
import Testing

/// What is not closed to everybody outside of the named group is refused, with the command that repairs it.
@Suite("Refusals of a vault that a Unix group shares")
struct SharedVaultRefusalTests {
  private let vault: TemporaryVault
  private let shared: SharedVault

  init() throws {
    vault = try TemporaryVault()
    shared = SharedVault(vault)
  }

  @Test(
    "a state folder and anchors that the group can reach are refused, as those of a vault of one user are"
  )
  func sharedState() throws {
    try shared.create().close()
    let group = SharedVault.group.number
    for (name, mode) in [(shared.statePath + "/anchors", 0o2770), (shared.statePath, 0o2770)] {
      #expect(unsafe chown(name, uid_t.max, group) == 0 && chmod(name, mode_t(mode)) == 0)
      #expect(shared.openingError()?.code == .insecureFile, "\(name)")
      #expect(unsafe chmod(name, 0o700) == 0)
    }
    #expect(shared.openingError() == nil)
    let anchors = try FileManager.default.contentsOfDirectory(atPath: shared.statePath + "/anchors")
    for name in anchors {
      #expect(unsafe chmod(shared.statePath + "/anchors/" + name, 0o660) == 0)
    }
    let code = TemporaryVault.code { _ = try shared.openUnlocked() }
    #expect(code == .insecureFile)
  }

  @Test("who does not name the group is refused, and told the option")
  func withoutOption() throws {
    try shared.create().close()
    let error = shared.openingError(sharedWith: nil)
    #expect(error?.code == .insecureFile)
    #expect(error?.message.contains("--shared-with") == true)
  }

  @Test("who names another group is refused, and told the option")
  func otherGroup() throws {
    try shared.create().close()
    let error = shared.openingError(sharedWith: UnixGroup(number: SharedVault.group.number ^ 1))
    #expect(error?.code == .insecureFile)
    #expect(error?.message.contains("--shared-with") == true)
  }

  @Test(
    "a private vault is refused to who names a group, also when its files are made to look shared"
  )
  func privateVault() throws {
    let group = SharedVault.group
    try shared.create(sharedWith: nil).close()
    #expect(shared.openingError()?.code == .insecureFile)
    for name in try shared.names() {
      #expect(unsafe chown(shared.folder + "/" + name, uid_t.max, group.number) == 0)
      #expect(unsafe chmod(shared.folder + "/" + name, name == "." ? 0o2770 : 0o660) == 0)
    }
    let error = shared.openingError()
    #expect(error?.code == .insecureFile)
    #expect(error?.message.contains("not made for that Unix group") == true)
  }

  @Test("a head that says so without the root key is tampering")
  func forgedHead() throws {
    try shared.create(sharedWith: nil).close()
    try RawVault(shared.path).editHead { head in
      head.state =
        [2, 0, 0, 0, 4]
        + (0..<4).map { byte in
          UInt8(truncatingIfNeeded: SharedVault.group.number >> (24 - 8 * UInt32(byte)))
        }
    }
    for name in try shared.names() {
      #expect(
        unsafe chown(shared.folder + "/" + name, uid_t.max, SharedVault.group.number) == 0
      )
      #expect(unsafe chmod(shared.folder + "/" + name, name == "." ? 0o2770 : 0o660) == 0)
    }
    let store = try shared.open()
    #expect(throws: VaultError(.tampered)) { try store.unlock(with: shared.credential) }
  }

  @Test(
    "a part that is open to others, or closed to the group, is refused with the command that repairs it",
    arguments: [0o600, 0o640, 0o664, 0o662, 0o606],
    ["test.vault", "test.vault-wal", "test.vault-shm", "test.vault.lock"]
  )
  func fileModes(mode: Int, name: String) throws {
    try shared.create().close()
    #expect(unsafe chmod(shared.folder + "/" + name, mode_t(mode)) == 0)
    let error = shared.openingError()
    #expect(error?.code == .insecureFile)
    #expect(error?.message.contains("chmod 660") == true)
  }

  @Test(
    "a folder that is not the group's alone is refused",
    arguments: [0o770, 0o2775, 0o2750, 0o2771]
  )
  func folderModes(_ mode: Int) throws {
    try shared.create().close()
    #expect(unsafe chmod(shared.folder, mode_t(mode)) == 0)
    let error = shared.openingError()
    #expect(error?.code == .insecureFile)
    #expect(error?.message.contains("chmod 2770") == true)
  }

  @Test(
    "a part that has another group is refused",
    .enabled(if: geteuid() == 0, "only root can give a file to any group"),
    arguments: [".", "test.vault", "test.vault-wal", "test.vault-shm", "test.vault.lock"]
  )
  func groups(_ name: String) throws {
    try shared.create().close()
    let mode = try shared.status(name).st_mode & 0o7777
    #expect(unsafe chown(shared.folder + "/" + name, uid_t.max, 61_199) == 0)
    #expect(unsafe chmod(shared.folder + "/" + name, mode) == 0)
    let error = shared.openingError()
    #expect(error?.code == .insecureFile)
    #expect(error?.message.contains("chgrp") == true)
  }
}
