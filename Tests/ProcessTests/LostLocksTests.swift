import Foundation
import Glibc
import SecretVault
import TestSupport
import Testing

/// Why nothing but SQLite may open the vault file.
@Suite("Locks that a close drops", .timeLimit(.minutes(1)))
struct LostLocksTests {
  @Test("C-12: a process that opens and closes the vault file itself loses SQLite's locks on it")
  func openAndClose() throws {
    let vault = try ProcessVault()
    let (ready, go) = (vault.folder.path("ready"), vault.folder.path("go"))
    let process = try ChildProcess(vault.worker("lose-locks", ready, go))
    defer {
      process.send(SIGKILL)
      _ = try? process.finish()
    }
    try waitUntil { FileManager.default.fileExists(atPath: ready) }
    // The lock that tells others that they are not the last, and may not take the log away.
    // The table is read in pieces, between which a line can slip away while others lock and unlock.
    try waitUntil { try locks(of: process.identifier, on: vault.path) == 1 }
    try #require(FileManager.default.createFile(atPath: go, contents: nil))
    try waitUntil { !FileManager.default.fileExists(atPath: ready) }
    #expect(try locks(of: process.identifier, on: vault.path) == 0)
  }

  /// How many POSIX locks the kernel counts (proc_locks(5)).
  private func locks(of process: pid_t, on path: String) throws -> Int {
    var status = stat()
    try #require(unsafe lstat(path, &status) == 0)
    let table = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    return table.split(separator: "\n").count { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.count == 8 && words[1] == "POSIX" && words[4] == "\(process)"
        && words[5].split(separator: ":").last == "\(status.st_ino)"
    }
  }
}
