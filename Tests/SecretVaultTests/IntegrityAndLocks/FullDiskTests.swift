import Foundation
import Glibc
import SecretVault
import TestSupport
import Testing

/// Puts a vault, or its state folder, on a small file system of its own and fills it.
@Suite(
  "A full disk",
  .enabled(if: SmallFileSystem.isAvailable, SmallFileSystem.absence)
)
struct FullDiskTests {
  @Test(
    "F-6: a write succeeds and tells that its anchor was not written, and the next opening heals it"
  )
  func anchorOnFullDisk() throws {
    let vault = try TemporaryVault()
    let disk = try SmallFileSystem(at: vault.statePath)
    defer { disk.remove() }
    try disk.fill()
    let store = try vault.create()
    #expect(store.takeNotices().contains(.anchorNotWritten))
    try store.write(2, "base")
    #expect(store.takeNotices() == [.anchorNotWritten])
    #expect(try store.items().items.count == 2)
    try store.closeDrained()
    let old = try vault.copy()

    try disk.empty()
    let healed = try vault.openUnlocked()
    #expect(healed.takeNotices() == [.firstSeen])
    try healed.write(1, "later")
    #expect(healed.takeNotices() == [])
    try healed.closeDrained()
    try vault.put(old)
    #expect(throws: VaultError(.rolledBack)) { try vault.openUnlocked() }
  }

  @Test("M-5: a commit that fails leaves the anchor where the file is")
  func failedCommit() throws {
    let vault = try TemporaryVault()
    let disk = try SmallFileSystem(at: vault.folder + "/disk", kilobytes: 512)
    defer { disk.remove() }
    let path = vault.folder + "/disk/test.vault"
    let store = try SecretStore.create(
      at: path,
      protectedBy: [SecretStore.NewSlot(vault.credential)],
      options: vault.options
    )
    var written = 0
    let error = #expect(throws: VaultError.self) {
      while written < 10_000 {
        try store.set(SecretBytes("secret"), for: ItemIdentity(service: "full-\(written)"))
        written += 1
      }
    }
    #expect(error == VaultError(.full))
    #expect(try store.items().items.count == written, "the keys are still of use")
    store.close()
    let other = try SecretStore.open(at: path, options: vault.options)
    #expect(throws: Never.self) { try other.unlock(with: vault.credential) }
    #expect(try other.items().items.count == written)
    #expect(try other.administration(with: vault.credential).check().isSound)
    other.close()
  }
}

/// A file system in memory with room for a few pages, which only root can mount.
private struct SmallFileSystem {
  static let absence: Comment =
    "only root can mount a small file system, and not in every container"
  private static let program = "/bin/mount"

  static let isAvailable: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    guard let disk = try? SmallFileSystem(at: folder.path) else { return false }
    disk.remove()
    return true
  }()

  private let path: String
  private var filler: String { path + "/filler" }

  init(at path: String, kilobytes: Int = 64) throws {
    self.path = path
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw VaultError(.inputOutput) }
    let arguments = ["-t", "tmpfs", "-o", "size=\(kilobytes)k,mode=0700", "tmpfs", path]
    let process = try ChildProcess(
      ChildProcess.Request(
        executable: Self.program,
        arguments: arguments.map { Array($0.utf8) },
        environment: [:]
      )
    )
    guard try process.finish().exitCode == 0 else { throw VaultError(.inputOutput) }
  }

  func fill() throws {
    #expect(FileManager.default.createFile(atPath: filler, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: filler))
    defer { try? file.close() }
    #expect(throws: (any Error).self) {
      for _ in 0..<1_000 { try file.write(contentsOf: Data(repeating: 1, count: 1_024)) }
    }
  }

  func empty() throws {
    try FileManager.default.removeItem(atPath: filler)
  }

  func remove() {
    // The store may still hold its folder; the mount goes with the last user.
    unsafe umount2(path, Int32(MNT_DETACH))
  }
}
