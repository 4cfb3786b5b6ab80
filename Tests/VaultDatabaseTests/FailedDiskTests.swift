import Foundation
import Glibc
import Testing
import VaultDatabase

@Suite("A disk that fails to read is no damage of the vault")
struct FailedDiskTests {
  /// A vault of some twenty pages.
  private func filledVault() throws -> TemporaryVault {
    let vault = try TemporaryVault()
    let connection = try vault.database.connect(.readWrite)
    try connection.write {
      try connection.putHead(HeadRow(record: pattern(96), state: []))
      for _ in 0..<60 { _ = try connection.insertBox(pattern(112), pattern(1_000), []) }
    }
    connection.close()
    return vault
  }

  /// Makes every read of a file that this process has open fail with EIO, as the kernel fails one of its own memory
  /// where nothing is mapped.
  private func failReads(of path: String) throws {
    let unmapped = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    try #require(unmapped >= 0)
    defer { Glibc.close(unmapped) }
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      // One that another test has closed meanwhile has no target.
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + name
      )
      guard let number = Int32(name), target == path else { continue }
      try #require(dup2(unmapped, number) == number)
      count += 1
    }
    try #require(count > 0)
  }

  @Test("neither in the file nor in its log", arguments: [("", true), ("-wal", false)])
  func failedRead(suffix: String, isInFile: Bool) throws {
    let vault = try filledVault()
    let connection = try vault.database.connect(.readWrite)
    if isInFile { #expect(try connection.checkpoint(.truncate)) }
    _ = try connection.head()
    try failReads(of: vault.path + suffix)
    #expect(throws: DatabaseError(.io)) { try connection.forEachBox { _ in true } }
    #expect(throws: DatabaseError(.io)) { _ = try connection.integrityCheck() }
    connection.close()
  }
}
