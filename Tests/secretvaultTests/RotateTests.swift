import Foundation
import TestSupport
import Testing

@Suite("rotate and group revoke")
struct RotateTests {
  private let tool: Tool

  /// A vault with an item, a second slot, and a group that a third slot shares.
  init() throws {
    tool = try Tool.withVault()
    try tool.store("open sesame", "a")
    for words in [
      ["slot", "add", "--generate-key-file", tool.home.path("second"), "--label", "laptop"],
      ["group", "create", "work"],
      ["group", "share", "work", "--generate-key-file", tool.home.path("ci"), "--label", "ci"],
    ] {
      let outcome = try tool.start(words).finish()
      if outcome.exitCode != 0 { throw SetupFailure(description: outcome.errorText) }
    }
    let set = try tool.run("set", "w", "--group", "work", input: .text("of work"))
    #expect(set.exitCode == 0)
  }

  /// The id of the slot of a label.
  private func slot(_ label: String) throws -> String {
    let line = try tool.run("slot", "list").text.split(separator: "\n")
      .first { $0.hasSuffix("\t\(label)") }
    return String(try #require(line).prefix(32))
  }

  @Test("rotate keeps the items and names the slots that are dropped, one a line")
  func rotate() throws {
    let ids = try ["laptop", "ci"].map(slot).sorted()
    let outcome = try tool.run("rotate")
    #expect(outcome.exitCode == 0)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.map { String($0.prefix(32)) }.sorted() == ids)
    #expect(lines.contains { $0.hasSuffix("\tvault\tlaptop") })
    #expect(lines.contains { $0.hasSuffix("\tgroup work\tci") })
    #expect(outcome.errorText == "secretvault: 2 items have new keys; 2 slots were dropped\n")
    #expect(try tool.secretText("a") == "open sesame")
    for key in ["second", "ci"] {
      #expect(try tool.run("list", "--key-file", tool.home.path(key)).exitCode == 8)
    }
    #expect(try tool.run("check").exitCode == 0)
  }

  @Test("what is given with --keep-key-file stays, as often as it is given")
  func keep() throws {
    let outcome = try tool.run(
      "rotate",
      "--keep-key-file",
      tool.home.path("second"),
      "--keep-key-file",
      tool.home.path("ci"),
      "--quiet"
    )
    #expect(outcome.exitCode == 0)
    #expect(outcome.text.isEmpty && outcome.errorText.isEmpty)
    #expect(try tool.run("get", "a", "--key-file", tool.home.path("second")).text == "open sesame")
    #expect(try tool.run("get", "w", "--key-file", tool.home.path("ci")).text == "of work")
  }

  @Test("rotate --json tells what was done")
  func json() throws {
    let document = try tool.run("rotate", "--group", "work", "--json").json()
    #expect(document["version"] as? Int == 1)
    #expect(document["resealed"] as? Int == 1)
    #expect(document["removedWithPassphrase"] as? Int == 0)
    #expect(document["removedOfOtherDevices"] as? Int == 0)
    let slots = try #require(document["droppedSlots"] as? [[String: Any]])
    #expect(slots.map { $0["label"] as? String } == ["ci"])
    #expect(slots.map { $0["group"] as? String } == ["work"])
    #expect(try tool.run("list", "--key-file", tool.home.path("second")).exitCode == 0)
  }

  @Test("group revoke takes a group from the slots that it names, for certain")
  func revoke() throws {
    let ci = tool.home.path("ci")
    let outcome = try tool.run("group", "revoke", "work", slot("ci"), "--keep-key-file", ci)
    #expect(outcome.exitCode == 0)
    #expect(outcome.text.hasSuffix("\tgroup work\tci\n"))
    #expect(try tool.run("list", "--key-file", ci).exitCode == 8)
    #expect(try tool.run("get", "w", "--group", "work").text == "of work")
    #expect(try tool.run("get", "a", "--key-file", tool.home.path("second")).text == "open sesame")
  }

  @Test("what makes no sense is 2, a wrong key 8, and nothing is changed")
  func refusals() throws {
    let before = try tool.run("slot", "list").text
    for words in [
      ["rotate", "--group", "play"], ["rotate", "extra"], ["group", "revoke", "work"],
      ["group", "revoke", "work", try slot("laptop")], ["group", "revoke", "play", try slot("ci")],
    ] {
      let outcome = try tool.start(words).finish()
      #expect(outcome.exitCode == 2, "\(words)")
      #expect(outcome.isOneErrorLine)
    }
    let other = try TemporaryFolder()
    let made = try tool.run("slot", "add", "--generate-key-file", other.path("k"), "--label", "o")
    #expect(made.exitCode == 0)
    #expect(try tool.run("slot", "remove", slot("o")).exitCode == 0)
    #expect(try tool.run("rotate", "--keep-key-file", other.path("k")).exitCode == 8)
    #expect(try tool.run("rotate", "--keep-key-file", tool.home.path("none")).exitCode != 0)
    #expect(try tool.run("slot", "list").text == before)
  }

  @Test("rotate shows its progress at a terminal, and nowhere else")
  func progress() throws {
    let terminal = try PseudoTerminal()
    #expect(try tool.start(["rotate"], at: terminal).finish().exitCode == 0)
    #expect(terminal.rest().contains("\rsealed 2 of 2 items"))
    let quiet = try PseudoTerminal()
    #expect(try tool.start(["rotate", "--quiet"], at: quiet).finish().exitCode == 0)
    #expect(!quiet.rest().contains("sealed"))
    #expect(try !tool.run("rotate").errorText.contains("sealed"))
  }

  @Test("rotate asks for a credential whatever the agent holds, and the agent needs a new unlock")
  func agent() throws {
    let agent = tool.withoutCredential
    let key = tool.home.path("key")
    #expect(try agent.run("unlock", "--key-file", key).exitCode == 0)
    #expect(try agent.secretText("a") == "open sesame")
    #expect(try agent.run("rotate").exitCode == 7)
    #expect(try agent.run("rotate", "--key-file", key).exitCode == 0)
    let first = try agent.run("get", "a")
    #expect([6, 20].contains(first.exitCode))
    #expect(first.isOneErrorLine)
    #expect(try agent.run("get", "a").exitCode == 6)
    #expect(try agent.run("status").exitCode == 6)
    #expect(try agent.run("unlock", "--key-file", key).exitCode == 0)
    #expect(try agent.secretText("a") == "open sesame")
    #expect(try agent.run("set", "b", input: .text("new")).exitCode == 0)
  }
}
