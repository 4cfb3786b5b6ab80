import Foundation
import SecretVault
import TestSupport
import Testing

/// A backup or a restore that is killed leaves one state or the other, and nothing in the way of the next.
@Suite(
  "Kills of backups and restores",
  .enabled(if: SystemCallTracer.isUsable, "strace is missing or may not trace")
)
struct RestoreKillTests {
  private let item = ItemIdentity(service: "api.example.com", account: "alice")
  private let vault: ProcessVault

  init() throws {
    vault = try ProcessVault()
    try vault.withStore { store in try store.set(SecretBytes("old"), for: item) }
  }

  @Test(
    "C-1: a restore killed before any of its writes leaves the former state or the restored one"
  )
  func restore() throws {
    let backup = vault.folder.path("backup")
    try vault.tool("backup", backup).runToSuccess()
    try KillSeries.run(of: "restore") { call in
      try vault.withStore { store in try store.set(SecretBytes("new"), for: item) }
      let request = vault.tool("restore", backup)
      let outcome = try SystemCallTracer.kill(request, before: call).run()
      let found = try vault.withStore { store in
        #expect(try store.administration(with: vault.credential).check().isSound)
        return try store.secret(for: item)?.copiedAsString()
      }
      #expect(found == "old" || found == "new")
      return (outcome, found == "old" ? .new : .old)
    }
    try vault.tool("restore", backup).runToSuccess()
    #expect(try !vault.folder.names(in: "home").contains { $0.contains(".restore") })
  }

  @Test("C-1: a backup killed before any of its writes leaves no backup or a whole one")
  func backup() throws {
    let backups = vault.folder.path("backups")
    try FileManager.default.createDirectory(
      atPath: backups,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
    let backup = backups + "/backup"
    try KillSeries.run(of: "backup") { call in
      try? FileManager.default.removeItem(atPath: backup)
      let outcome = try SystemCallTracer.kill(vault.tool("backup", backup), before: call).run()
      let exists = FileManager.default.fileExists(atPath: backup)
      if !exists { try vault.tool("backup", backup).runToSuccess() }
      #expect(try vault.folder.names(in: "backups") == ["backup"])
      try vault.tool("restore", backup).runToSuccess()
      return (outcome, exists ? .new : .old)
    }
  }
}
