import Foundation
import SecretVault
import TestSupport
import Testing

/// What happens to the file of an anchor while a store is open.
@Suite("The file of an anchor")
struct AnchorFileTests {
  private let vault: TemporaryVault
  private let store: SecretStore
  private let item = ItemIdentity(service: "a")
  /// The file of the anchor of the only group.
  private let path: String

  init() throws {
    vault = try TemporaryVault()
    try vault.create().close()
    store = try vault.openUnlocked()
    try store.set(SecretBytes("1"), for: item)
    let folder = vault.statePath + "/anchors/"
    let root = String(repeating: "0", count: 32)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    path = folder + (try #require(names.first { $0.count == 65 && !$0.hasSuffix(root) }))
    _ = store.takeNotices()
  }

  @Test("M-1: one that was replaced is used from the next commit on, so a roll-back is seen")
  func replaced() throws {
    // As whoever restores a home does it.
    try FileManager.default.copyItem(atPath: path, toPath: path + ".new")
    #expect(unsafe rename(path + ".new", path) == 0)
    #expect(try store.emptyLog())
    let old = try Data(contentsOf: URL(fileURLWithPath: vault.path))
    for secret in ["2", "3"] { try store.set(SecretBytes(secret), for: item) }
    #expect(store.takeNotices().isEmpty)
    store.close()
    try old.write(to: URL(fileURLWithPath: vault.path))
    let again = try vault.open()
    #expect(throws: VaultError(.rolledBack)) { try again.unlock(with: vault.credential) }
  }

  @Test("one that was removed is made again by the next commit")
  func removed() throws {
    try FileManager.default.removeItem(atPath: path)
    try store.set(SecretBytes("2"), for: item)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(store.takeNotices().isEmpty)
  }

  @Test("one in a folder that was removed is told")
  func folderRemoved() throws {
    try FileManager.default.removeItem(atPath: vault.statePath)
    try store.set(SecretBytes("2"), for: item)
    #expect(store.takeNotices() == [.anchorNotWritten])
  }

  @Test("one that was opened to others is not written, and told")
  func openedToOthers() throws {
    #expect(unsafe chmod(path, 0o666) == 0)
    try store.set(SecretBytes("2"), for: item)
    #expect(store.takeNotices() == [.anchorNotWritten])
  }

  @Test("one that another process holds makes a lock of the vault wait for a second at most")
  func held() throws {
    let file = unsafe open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    #expect(flock(file, LOCK_EX | LOCK_NB) == 0)
    let writes = (0..<8).map { number in
      Background { [store] in
        try store.set(SecretBytes("x"), for: ItemIdentity(service: "\(number)"))
      }
    }
    #expect(eventually { (try? HeldWriteLock(vault)) == nil })
    let start = ContinuousClock.now
    store.lock()
    #expect(ContinuousClock.now - start < .seconds(2))
    for write in writes { _ = write.result() }
  }
}
