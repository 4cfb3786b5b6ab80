import Foundation
import TestSupport
import Testing

@Suite("backup and restore")
struct BackupTests {
  private static func toolWithBackup() throws -> Tool {
    let tool = try Tool.withVault()
    try tool.store("old", "kept")
    let outcome = try tool.run("backup", tool.home.path("backup"))
    if outcome.exitCode != 0 { throw SetupFailure(description: outcome.errorText) }
    return tool
  }

  @Test("a backup is a private file, and a restore of it brings the items back")
  func roundTrip() throws {
    let tool = try Self.toolWithBackup()
    #expect(try tool.home.mode(of: "backup") == 0o600)
    try tool.store("new", "kept")
    try tool.store("x", "later")
    let outcome = try tool.run("restore", tool.home.path("backup"))
    #expect(outcome.exitCode == 0)
    #expect(outcome.text.isEmpty)
    #expect(outcome.errorText.contains("1 items were restored"))
    #expect(try tool.secretText("kept") == "old")
    #expect(try tool.run("get", "later").exitCode == 3)
    #expect(try tool.run("check").exitCode == 0)
  }

  @Test("a name that is taken is 5, asked about before a credential, and left alone")
  func takenName() throws {
    let tool = try Self.toolWithBackup()
    let before = tool.home.contents(of: "backup")
    let outcome = try tool.withoutCredential.run("backup", tool.home.path("backup"))
    #expect(outcome.exitCode == 5)
    #expect(outcome.isOneErrorLine)
    #expect(tool.home.contents(of: "backup") == before)
  }

  @Test("without a credential and a terminal both are 7, also where an agent is unlocked")
  func noCredential() throws {
    let tool = try Self.toolWithBackup()
    #expect(try tool.run("unlock").exitCode == 0)
    let bare = tool.withoutCredential
    #expect(try bare.run("get", "kept").exitCode == 0)
    #expect(try bare.run("backup", tool.home.path("another")).exitCode == 7)
    #expect(try bare.run("restore", tool.home.path("backup")).exitCode == 7)
    #expect(!tool.home.has("another"))
  }

  @Test("what is open to others is 13, no vault 10, another vault 11, a wrong key 8, nothing 9")
  func refusals() throws {
    let tool = try Self.toolWithBackup()
    let backup = tool.home.path("backup")
    let other = try Tool.withVault()
    #expect(try other.run("backup", other.home.path("backup")).exitCode == 0)
    let foreign = try #require(other.home.contents(of: "backup"))
    try tool.home.write(foreign, to: "foreign")
    try tool.home.write("no vault", to: "text")
    try tool.home.write(try #require(tool.home.contents(of: "backup")), to: "open", mode: 0o644)
    for (name, code) in [("open", 13), ("text", 10), ("foreign", 11), ("absent", 9)] {
      let outcome = try tool.run("restore", tool.home.path(name))
      #expect(outcome.exitCode == Int32(code), "\(name): \(outcome.errorText)")
      #expect(outcome.isOneErrorLine)
    }
    let wrong = try tool.run("restore", backup, "--key-file", other.home.path("key"))
    #expect(wrong.exitCode == 8)
    #expect(try tool.secretText("kept") == "old")
  }

  @Test("a lost vault is 9, a damaged one 10, and what restore says then brings it back")
  func lostVault() throws {
    let tool = try Self.toolWithBackup()
    let path = tool.home.path(Tool.vaultPath)
    for (damage, code) in [(nil, 9), ("no vault any more", 10)] as [(String?, Int32)] {
      // What is left of a log would be played back into the copy.
      for name in [path, path + "-wal"] {
        try "left".write(toFile: name, atomically: false, encoding: .utf8)
      }
      if let damage {
        try damage.write(toFile: path, atomically: false, encoding: .utf8)
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
      let outcome = try tool.run("restore", tool.home.path("backup"))
      #expect(outcome.exitCode == code)
      #expect(outcome.isOneErrorLine)
      #expect(
        outcome.errorText.contains("remove the files -wal and -shm beside it, copy the backup")
      )
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
      try tool.home.write(#require(tool.home.contents(of: "backup")), to: Tool.vaultPath)
      #expect(try tool.run("check", "--accept-restore").exitCode == 0)
      #expect(try tool.secretText("kept") == "old")
    }
  }

  @Test("an agent that has the vault unlocked goes on with the restored items")
  func agent() throws {
    let tool = try Self.toolWithBackup()
    #expect(try tool.run("unlock").exitCode == 0)
    let bare = tool.withoutCredential
    try tool.store("new", "kept")
    #expect(try bare.secretText("kept") == "new")
    #expect(try tool.run("restore", tool.home.path("backup")).exitCode == 0)
    #expect(try bare.secretText("kept") == "old")
    try bare.store("newer", "kept")
    #expect(try tool.secretText("kept") == "newer")
  }

  @Test("items of another device are left out and their ids written, as lines or as JSON")
  func otherDevice() throws {
    let tool = try Tool.withVault()
    let words = ["set", "bound", "--accessibility", "whenUnlockedThisDeviceOnly"]
    #expect(try tool.start(words, input: .text("x")).finish().exitCode == 0)
    try tool.store("old", "kept")
    #expect(try tool.run("backup", tool.home.path("backup")).exitCode == 0)
    var elsewhere = tool
    elsewhere.environment["SECRETVAULT_STATE"] = tool.home.path("state-of-another")
    let outcome = try elsewhere.run("restore", "--json", tool.home.path("backup"))
    #expect(outcome.exitCode == 0)
    let document = try outcome.json()
    #expect(document["items"] as? Int == 1)
    let removed = try #require(document["removed"] as? [String])
    #expect(removed.count == 1)
    #expect(removed.allSatisfy { $0.count == 32 })
    let again = try elsewhere.run("restore", tool.home.path("backup"))
    #expect(again.text == removed[0] + "\n")
    #expect(again.errorText.contains("bound to another device"))
  }

  @Test("an item that is to be revalidated is 15 after a restore, until it is set again")
  func revalidation() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("set", "kept", "--revalidate", input: .text("old")).exitCode == 0)
    #expect(try tool.run("backup", tool.home.path("backup")).exitCode == 0)
    #expect(try tool.secretText("kept") == "old")
    #expect(try tool.run("restore", tool.home.path("backup")).exitCode == 0)
    #expect(try tool.run("get", "kept").exitCode == 15)
    try tool.store("new", "kept")
    #expect(try tool.secretText("kept") == "new")
  }
}
