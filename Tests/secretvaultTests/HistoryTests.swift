import Foundation
import TestSupport
import Testing

@Suite("history and restore-version")
struct HistoryTests {
  /// Writes an item over, so often that each of the texts was its secret.
  private func write(_ secrets: [String], _ words: String..., by tool: Tool) throws {
    for secret in secrets {
      let outcome = try tool.start(["set"] + words, input: .text(secret)).finish()
      #expect(outcome.exitCode == 0)
    }
  }

  /// The versions that `history` shows, newest first.
  private func versions(_ tool: Tool, _ words: String...) throws -> [String] {
    let outcome = try tool.start(["history"] + words).finish()
    #expect(outcome.exitCode == 0)
    return outcome.text.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
      .map(String.init)
  }

  private func item(_ tool: Tool, _ service: String) throws -> [String: Any] {
    let document = try tool.run("show", service, "--json").json()
    return try #require(document["item"] as? [String: Any])
  }

  @Test("earlier secrets are listed without a secret, and come back by their version")
  func restoring() throws {
    let tool = try Tool.withVault()
    try write(["hunter1", "hunter2", "hunter3"], "a", "b", "--history", "5", by: tool)
    let listed = try tool.run("history", "a", "b")
    let form = /[0-9]+\t[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/
    let lines = listed.text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.wholeMatch(of: form) != nil })
    let json = try tool.run("history", "a", "b", "--json")
    let entries = try #require(json.json()["history"] as? [[String: Any]])
    #expect(
      entries.map { "\($0["version"] ?? "")\t\($0["modified"] ?? "")" } == lines.map(String.init)
    )
    for outcome in [listed, json] { #expect(!outcome.text.contains("hunter")) }
    let oldest = try #require(try versions(tool, "a", "b").last)
    let restored = try tool.run("restore-version", "a", "b", oldest)
    #expect(restored.exitCode == 0)
    #expect(restored.output.isEmpty)
    #expect(try tool.secretText("a", "b") == "hunter1")
    #expect(try versions(tool, "a", "b").count == 3)
  }

  @Test("the account can be left out before the version")
  func withoutAccount() throws {
    let tool = try Tool.withVault()
    try write(["1", "2"], "a", "--history", "1", by: tool)
    let version = try #require(try versions(tool, "a").first)
    #expect(try tool.run("restore-version", "a", version).exitCode == 0)
    #expect(try tool.secretText("a") == "1")
  }

  @Test("no item and no such version are 3, no history is no output, and a wrong line is 2")
  func refusals() throws {
    let tool = try Tool.withVault()
    try write(["1", "2"], "a", by: tool)
    let none = try tool.run("history", "a")
    #expect(none.exitCode == 0)
    #expect(none.output.isEmpty)
    #expect(try tool.run("history", "b").exitCode == 3)
    for words in [["a", "1"], ["b", "1"], ["a", "", "18446744073709551615"]] {
      let outcome = try tool.start(["restore-version"] + words).finish()
      #expect(outcome.exitCode == 3, "\(words)")
      #expect(outcome.isOneErrorLine)
    }
    for words in [
      [], ["a"], ["a", "x"], ["a", "b", "-1"], ["a", "b", "1", "2"], ["a", "1.5"],
    ] {
      let outcome = try tool.start(["restore-version"] + words).finish()
      #expect(outcome.exitCode == 2, "\(words)")
      #expect(outcome.isOneErrorLine)
    }
    #expect(try tool.secretText("a") == "2")
  }

  @Test("edit keeps more, fewer or no earlier secrets, and show and JSON say how many")
  func editing() throws {
    let tool = try Tool.withVault()
    try write(["1", "2", "3", "4"], "a", "--history=3", by: tool)
    #expect(try tool.run("show", "a").text.contains("\nhistory: 3 of 3\n"))
    #expect(try item(tool, "a")["versionsKept"] as? Int == 3)
    #expect(try item(tool, "a")["historyCount"] as? Int == 3)
    #expect(try tool.run("edit", "a", "--history", "1").exitCode == 0)
    #expect(try versions(tool, "a").count == 1)
    #expect(try tool.run("edit", "a", "--history", "0").exitCode == 0)
    #expect(try versions(tool, "a") == [])
    #expect(!(try tool.run("show", "a").text.contains("history")))
    for number in ["256", "-1", "", "x", "1.0"] {
      #expect(try tool.run("edit", "a", "--history=\(number)").exitCode == 2)
    }
  }

  @Test("a secret that is revalidated says so, and not both ways at once")
  func revalidation() throws {
    let tool = try Tool.withVault()
    try write(["1"], "a", "--revalidate", by: tool)
    #expect(try tool.run("show", "a").text.contains("\nrevalidate: yes\n"))
    #expect(try item(tool, "a")["revalidate"] as? Bool == true)
    #expect(try tool.run("edit", "a", "--no-revalidate").exitCode == 0)
    #expect(try item(tool, "a")["revalidate"] as? Bool == false)
    #expect(try tool.run("edit", "a", "--revalidate", "--no-revalidate").exitCode == 2)
  }

  @Test("after an accepted restore it is 15, until it is written again")
  func restoredBackup() throws {
    let tool = try Tool.withVault()
    try write(["1"], "a", "--revalidate", by: tool)
    try write(["2"], "b", by: tool)
    let backup = try #require(tool.home.contents(of: Tool.vaultPath))
    try write(["3"], "a", by: tool)
    try tool.home.write(backup, to: Tool.vaultPath)
    #expect(try tool.run("get", "b").exitCode == 11)
    _ = try tool.run("check", "--accept-restore")
    let refused = try tool.run("get", "a")
    #expect(refused.exitCode == 15)
    #expect(refused.output.isEmpty && refused.isOneErrorLine)
    #expect(try tool.run("get", "a", "--allow-expired").exitCode == 15)
    #expect(try tool.secretText("b") == "2")
    try write(["4"], "a", by: tool)
    #expect(try tool.secretText("a") == "4")
  }

  @Test("deleting an item and adding it again leaves no earlier secret")
  func deletion() throws {
    let tool = try Tool.withVault()
    try write(["1", "2"], "a", "--history", "5", by: tool)
    #expect(try tool.run("delete", "a").exitCode == 0)
    #expect(try tool.run("history", "a").exitCode == 3)
    try write(["3"], "a", by: tool)
    #expect(try versions(tool, "a") == [])
  }

  @Test("all of it works through the agent, and a locked history is 6")
  func agent() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("unlock").exitCode == 0)
    let client = tool.withoutCredential
    try write(["1", "2", "3"], "a", "--history", "2", "--revalidate", by: client)
    #expect(try item(client, "a")["revalidate"] as? Bool == true)
    let found = try versions(client, "a")
    #expect(found.count == 2)
    #expect(try client.run("restore-version", "a", try #require(found.last)).exitCode == 0)
    #expect(try client.secretText("a") == "1")
    #expect(try client.run("edit", "a", "--history", "1", "--no-revalidate").exitCode == 0)
    #expect(try versions(client, "a").count == 1)
    #expect(try tool.run("lock").exitCode == 0)
    #expect(try client.run("history", "a").exitCode == 6)
    #expect(try client.run("restore-version", "a", "1").exitCode == 6)
  }
}
