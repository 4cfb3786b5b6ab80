import Foundation
import SecretVault
import TestSupport
import Testing

/// File systems that are full or cannot be written.
@Suite("Full and read-only media", .enabled(if: SmallFileSystem.isUsable, "this needs root"))
struct MediaTests {
  private let vault: FaultyVault
  private let disk: SmallFileSystem
  private let trial: Trial

  /// A vault on a disk of its own.
  init() throws {
    vault = try FaultyVault()
    disk = try SmallFileSystem(at: vault.folder.path("disk"), kibibytes: 512)
    trial = try vault.copy("disk/trial")
  }

  /// Leaves a number of pages of 4 KiB free.
  private func leave(_ pages: Int) throws {
    try? FileManager.default.removeItem(atPath: disk.path + "/filler")
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: disk.path)
    let free = try #require(attributes[.systemFreeSize] as? Int) - pages * 4096
    try Data(repeating: 1, count: max(0, free)).write(
      to: URL(fileURLWithPath: disk.path + "/filler")
    )
  }

  @Test("C-4: with any number of pages free a backup is whole, or full and leaves nothing")
  func backupOnFullDisk() throws {
    let store = try trial.openUnlocked()
    let administration = try store.administration(with: trial.credential)
    let target = trial.folder + "/new.backup"
    var failures = 0
    for pages in 0..<60 {
      try leave(pages)
      do {
        try administration.backup(to: target)
        break
      } catch {
        #expect(error.code == .full)
        failures += 1
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: trial.folder)
      #expect(!names.contains { $0.hasPrefix("new.backup") })
    }
    #expect(failures > 5)
    #expect(FileManager.default.fileExists(atPath: target))
    store.close()
  }

  @Test("C-4: with any number of pages free a change or a rotation is done, or full and undone")
  func changesOnFullDisk() throws {
    for change in [VaultChange.update, .drain, .restore, .rotation] {
      var failures = 0
      for pages in 0..<120 {
        let copy = try vault.copy("disk/copy")
        let old = try copy.contents()
        let prepared = try change.prepare(copy)
        try leave(pages)
        var failure: VaultError?
        do {
          try prepared.run()
        } catch let error as VaultError {
          failure = error
        }
        #expect(failure == nil || failure?.code == .full, "\(change) with \(pages) pages")
        // New keys are known after an unlock.
        if change == .rotation { try prepared.store.unlock(with: copy.credential) }
        #expect(try prepared.store.items().items.count > 0)
        prepared.store.close()
        try leave(100)
        let found = try copy.contents()
        #expect(found == old || found.isResult(of: change, on: old))
        #expect(failure != nil || found != old)
        try copy.remove()
        if failure == nil { break }
        failures += 1
      }
      #expect(failures > 0, "\(change)")
    }
  }

  @Test("C-5: on a read-only file system a vault and its backup are read, and writes say so")
  func readOnlyMedia() throws {
    let store = try trial.openUnlocked()
    try store.administration(with: trial.credential).backup(to: trial.folder + "/copy.backup")
    store.close()
    try disk.becomeReadOnly()
    for path in [trial.path, trial.folder + "/copy.backup"] {
      var options = trial.options
      options.stateDirectory = vault.folder.path("state-elsewhere")
      let reader = try SecretStore.open(at: path, options: options)
      try reader.unlock(with: trial.credential)
      #expect(try reader.secret(for: Trial.item)?.copiedAsString() == "old")
      #expect(throws: VaultError(.readOnly)) { try reader.set(SecretBytes("x"), for: Trial.item) }
      #expect(throws: VaultError(.readOnly)) {
        try reader.restore(from: trial.backupPath, with: trial.credential)
      }
      let administration = try reader.administration(with: trial.credential)
      let backup = vault.folder.path("backup-\(URL(fileURLWithPath: path).lastPathComponent)")
      try administration.backup(to: backup)
      #expect(throws: VaultError(.readOnly)) {
        try administration.backup(to: trial.folder + "/another")
      }
      reader.close()
    }
  }

  @Test("C-5: with a log that was left behind, never the state before it is read without a word")
  func leftoverLog() throws {
    let killed = try leaveLog()
    try disk.becomeReadOnly()
    var options = killed.options
    options.stateDirectory = vault.folder.path("state-elsewhere")
    do {
      let reader = try SecretStore.open(at: killed.path, options: options)
      try reader.unlock(with: killed.credential)
      #expect(try reader.secret(for: Trial.item)?.copiedAsString() == "logged")
      reader.close()
    } catch {
      #expect(error.code == .readOnly || error.code == .inputOutput, "\(error)")
    }
  }

  /// A copy of the vault as a kill leaves it: the log was not written back, and there is no index of it.
  private func leaveLog() throws -> Trial {
    let store = try trial.openUnlocked()
    try store.set(SecretBytes("logged"), for: Trial.item)
    let killed = try vault.copy("disk/killed")
    for suffix in ["", "-wal"] {
      try FileManager.default.removeItem(atPath: killed.path + suffix)
      try FileManager.default.copyItem(atPath: trial.path + suffix, toPath: killed.path + suffix)
    }
    try? FileManager.default.removeItem(atPath: killed.path + "-shm")
    store.close()
    return killed
  }
}
