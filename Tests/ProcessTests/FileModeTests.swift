import Foundation
import TestSupport
import Testing

/// Files are closed to others from their first byte, whatever the caller's umask says.
@Suite("Modes of files")
struct FileModeTests {
  private static let umasks = ["000", "022", "077"]

  @Test("F-3: the tool's files are 0600 and its folders 0700 under any umask", arguments: umasks)
  func tool(umask: String) throws {
    let vault = try ProcessVault(empty: ())
    try under(umask, vault.tool("init")).runToSuccess()
    try under(umask, vault.tool("set", "api.example.com", input: .text("token"))).runToSuccess()
    try expectPrivate(vault)
  }

  // The tool sets its own umask; a program that uses the library may not.
  @Test("F-3: the library's files are 0600 and its folders 0700 under any umask", arguments: umasks)
  func library(umask: String) throws {
    let vault = try ProcessVault(empty: ())
    try under(umask, vault.worker("create")).runToSuccess()
    try expectPrivate(vault)
  }

  private func under(_ umask: String, _ request: ChildProcess.Request) -> ChildProcess.Request {
    request.started(by: "/bin/sh", ["-c", "umask \(umask); exec \"$@\"", "sh"])
  }

  private func expectPrivate(_ vault: ProcessVault) throws {
    #expect(
      try vault.folder.names(in: "home")
        == ["test.vault", "test.vault-shm", "test.vault-wal", "test.vault.lock"]
    )
    let anchors = try vault.folder.names(in: "state/anchors")
    #expect(anchors.count == 4, "one of the vault, one of its group, the table of paths, its lock")
    for folder in ["home", "state", "state/anchors"] {
      #expect(try vault.folder.mode(of: folder) == 0o700)
      for name in try vault.folder.names(in: folder) {
        let path = folder + "/" + name
        let mode = try vault.folder.mode(of: path)
        #expect(mode == (path == "state/anchors" ? 0o700 : 0o600), "\(path)")
      }
    }
  }
}
