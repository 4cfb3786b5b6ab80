import Foundation
import SecretVault
import Testing
import VaultFormat

@Suite("A log or journal that does not belong")
struct StaleLogTests {
  private let vault: TemporaryVault

  init() throws {
    vault = try TemporaryVault()
  }

  private func log(of vault: TemporaryVault) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: vault.path + "-wal"))
  }

  private func putLog(_ log: Data) throws {
    try? FileManager.default.removeItem(atPath: vault.path + "-shm")
    try vault.writePrivately(log, to: vault.path + "-wal")
  }

  @Test("D-9: the log of an older state is rolled back")
  func olderLog() throws {
    let store = try vault.create()
    try store.write(2, "base")
    let old = try log(of: vault)
    #expect(!old.isEmpty)
    try store.write(2, "later")
    try store.closeDrained()
    try putLog(old)
    #expect(throws: VaultError(.rolledBack)) { try vault.openUnlocked() }
  }

  @Test("D-9: the log of another vault is noticed before any key is derived")
  func foreignLog() throws {
    let store = try vault.create()
    try store.write(2, "base")
    try store.closeDrained()
    let other = try TemporaryVault()
    let foreign = try other.create()
    try foreign.write(2, "foreign")
    let log = try log(of: other)
    #expect(!log.isEmpty)
    try putLog(log)
    #expect(throws: VaultError(.corruptHeader)) { try vault.open() }
  }

  @Test("D-9: a log that was cut or overwritten counts up to its last whole commit, and no further")
  func damagedLog() throws {
    let store = try vault.create()
    try store.write(2, "base")
    try store.closeDrained()
    let file = try vault.copy()
    let other = try vault.openUnlocked()
    try other.write(1, "later")
    let log = try log(of: vault)
    other.close()
    var damaged = log
    damaged[damaged.count - 1] ^= 1
    try vault.put(file)
    try putLog(damaged)
    #expect(throws: VaultError(.rolledBack)) { try vault.openUnlocked() }
    try vault.put(file)
    try putLog(log)
    #expect(try vault.openUnlocked().items().items.count == 3)
  }

  @Test("D-9: a rollback journal that brings back an older file is rolled back")
  func journal() throws {
    let store = try vault.create()
    try store.write(2, "base")
    try store.closeDrained()
    let old = Array(try Data(contentsOf: URL(fileURLWithPath: vault.path)))
    let other = try vault.openUnlocked()
    try other.write(2, "later")
    try other.closeDrained()
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: vault.path + suffix)
    }
    try vault.writePrivately(Data(journal(restoring: old)), to: vault.path + "-journal")
    #expect(throws: VaultError(.rolledBack)) { try vault.openUnlocked() }
  }

  /// A journal of one segment that holds every page (sqlite.org/fileformat2.html, section 3).
  private func journal(restoring file: [UInt8]) -> [UInt8] {
    let pageSize = 4_096
    let pages = stride(from: 0, to: file.count, by: pageSize).map {
      Array(file[$0..<($0 + pageSize)])
    }
    let count = UInt32(pages.count)
    var journal: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    // How many pages, a nonce of zero, the size of the file before, of a sector, and of a page.
    for field in [count, 0, count, 512, UInt32(pageSize)] { journal.append(bigEndian: field) }
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    for (index, page) in pages.enumerated() {
      journal.append(bigEndian: UInt32(index + 1))
      journal += page
      let sampled = stride(from: pageSize - 200, to: 0, by: -200)
      journal.append(bigEndian: sampled.reduce(UInt32(0)) { $0 &+ UInt32(page[$1]) })
    }
    return journal
  }
}
