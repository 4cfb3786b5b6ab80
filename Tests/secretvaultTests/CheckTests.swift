import Foundation
import TestSupport
import Testing

@Suite("check")
struct CheckTests {
  /// Stores an item and deletes another, after which the vault's file alone holds everything.
  private static func store(_ secret: String, in tool: Tool) throws {
    try tool.store(secret, "kept")
    try tool.store(secret, "gone")
    #expect(try tool.run("delete", "gone").exitCode == 0)
  }

  @Test("a sound vault gives 0, with advice as lines that say what to do")
  func sound() throws {
    let tool = try Tool.withVault()
    try Self.store("tok", in: tool)
    let checked = try tool.run("check")
    #expect(checked.exitCode == 0)
    #expect(checked.text.split(separator: "\n").allSatisfy { $0.contains("; ") })
    #expect(checked.errorText.contains("1 items verified"))
    let document = try tool.run("check", "--json").json()
    #expect(document["verified"] as? Int == 1)
    let findings = try #require(document["findings"] as? [[String: Any]])
    #expect(findings.allSatisfy { $0["damage"] as? Bool == false })
  }

  @Test("a damaged vault is 10, whatever is asked of it")
  func damaged() throws {
    let tool = try Tool.withVault()
    try Self.store("tok", in: tool)
    let bytes = try #require(tool.home.contents(of: Tool.vaultPath))
    let half = bytes.count / 2
    let damaged = bytes.prefix(half) + Array(repeating: 0x55, count: bytes.count - half)
    try tool.home.write(damaged, to: Tool.vaultPath)
    for words in [["check"], ["get", "kept"], ["list"]] {
      let outcome = try tool.start(words).finish()
      #expect(outcome.exitCode == 10, "\(words): \(outcome.errorText)")
      #expect(outcome.isOneErrorLine)
    }
  }

  @Test("a damaged item is named, so that it can be deleted, and the rest is sound then")
  func namedItem() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "kept")
    try tool.store("tok", "broken")
    let file = try RawDatabase(tool.home.path(Tool.vaultPath))
    try file.execute("UPDATE box SET secret = x'00' WHERE id = (SELECT max(id) FROM box)")
    let checked = try tool.start(["check"]).finish()
    #expect(checked.exitCode == 10)
    #expect(checked.text.contains("or restore a backup\tdefault\tbroken\t\n"))
    #expect(checked.errorText == "secretvault: the vault is damaged; see the findings\n")
    let document = try tool.start(["check", "--json"]).finish()
    #expect(document.text.contains(#""item":{"group":"default","service":"broken","account":""}"#))
    #expect(try tool.run("delete", "broken").exitCode == 0)
    #expect(try tool.run("check").exitCode == 0)
  }

  @Test("damaged earlier secrets are dropped as the finding says, and the present one stays")
  func damagedHistory() throws {
    let tool = try Tool.withVault()
    for secret in ["old", "new"] {
      #expect(try tool.run("set", "kept", "--history", "2", input: .text(secret)).exitCode == 0)
    }
    let file = try RawDatabase(tool.home.path(Tool.vaultPath))
    try file.execute("UPDATE box SET history = x'00'")
    let checked = try tool.start(["check"]).finish()
    #expect(checked.exitCode == 10)
    #expect(
      checked.text.contains(
        "; drop them by edit --history 0, or restore a backup\tdefault\tkept\t\n"
      )
    )
    #expect(try tool.run("edit", "kept", "--history", "0").exitCode == 0)
    #expect(try tool.run("check").exitCode == 0)
    #expect(try tool.secretText("kept") == "new")
  }

  @Test("an older copy put back is 11 and names the command that accepts it, which then works")
  func rolledBack() throws {
    let tool = try Tool.withVault()
    try Self.store("old", in: tool)
    let old = try #require(tool.home.contents(of: Tool.vaultPath))
    try Self.store("new", in: tool)
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: tool.home.path(Tool.vaultPath + suffix))
    }
    try tool.home.write(old, to: Tool.vaultPath)
    for words in [["get", "kept"], ["set", "kept"], ["check"]] {
      let outcome = try tool.start(words, input: .text("x")).finish()
      #expect(outcome.exitCode == 11)
      #expect(outcome.errorText.contains("check --accept-restore"))
      #expect(outcome.output.isEmpty)
    }
    #expect(try tool.run("check", "--accept-restore").exitCode == 0)
    #expect(try tool.secretText("kept") == "old")
  }

  @Test("another vault at the path is 11")
  func replaced() throws {
    let tool = try Tool.withVault()
    let other = try Tool.withVault()
    for suffix in ["", "-wal", "-shm"] {
      let path = Tool.vaultPath + suffix
      try? FileManager.default.removeItem(atPath: tool.home.path(path))
      if let bytes = other.home.contents(of: path) { try tool.home.write(bytes, to: path) }
    }
    let outcome = try tool.run("list", "--key-file", other.home.path("key"))
    #expect(outcome.exitCode == 11)
  }
}
