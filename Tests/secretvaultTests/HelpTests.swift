import Foundation
import TestSupport
import Testing

/// The help, compared whole with files; `RECORD_SNAPSHOTS=1` writes them anew, and fails while doing so.
@Suite("help")
struct HelpTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Snapshots")

  private static let commands = [
    "init", "set", "add", "get", "show", "list", "search", "edit", "rename", "delete",
    "history", "restore-version",
    "unlock", "lock", "status", "agent", "run", "inject", "passphrase", "slot add", "slot list",
    "slot remove", "group create", "group list", "group share",
    "group revoke", "rotate", "backup", "restore",
    "export", "import", "check", "helper git", "helper docker", "generate",
    "completion", "tour", "version", "help", "exit-codes",
  ]

  @Test("the help of the tool and of every command is as recorded", arguments: [""] + commands)
  func snapshot(command: String) throws {
    let words = ["help"] + command.split(separator: " ").map(String.init)
    let text = try Tool().start(words).finish().text
    let name = words.joined(separator: "-") + ".txt"
    let file = Self.folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(name)")
    }
    let recorded = try? String(contentsOf: file, encoding: .utf8)
    #expect(text == recorded)
  }

  @Test("the overview names every command, in lines of at most 80 columns")
  func overview() throws {
    let text = try Tool().run("help").text
    for command in Self.commands { #expect(text.contains("\n  \(command)"), "\(command)") }
    for command in Self.commands {
      let words = ["help"] + command.split(separator: " ").map(String.init)
      let lines = try Tool().start(words).finish().text.split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 80 })
    }
    #expect(try Tool().run("help", "--json").json()["help"] as? String == text)
  }
}
