import Foundation
import TestSupport
import Testing

/// What commands do with an agent, unlocked and locked.
@Suite("the agent")
struct AgentTests {
  @Test("unlock starts the agent; then every command works without a question, until lock")
  func mainJob() throws {
    let (tool, key) = try Tool.forAgent()
    #expect(try tool.run("get", "closes").exitCode == 7)
    #expect(try tool.run("unlock", "--key-file", key).exitCode == 0)
    #expect(try tool.secretText("closes") == "open sesame")
    #expect(try tool.run("set", "new", input: .text("by agent")).exitCode == 0)
    #expect(try tool.run("list").text == "default\tcloses\t\ndefault\tnew\t\ndefault\tstays\t\n")
    #expect(try tool.run("rename", "new", "--to", "newer").exitCode == 0)
    #expect(try tool.run("edit", "newer", "--label", "L").exitCode == 0)
    #expect(try tool.run("show", "newer", "--reveal").text.contains("by agent"))
    #expect(try tool.run("delete", "newer").exitCode == 0)
    #expect(try tool.run("get", "newer").exitCode == 3)

    #expect(try tool.run("lock").exitCode == 0)
    #expect(try tool.run("get", "closes").exitCode == 6)
    #expect(try tool.secretText("stays") == "always")
  }

  @Test("cases 37, 38, 68: while locked it is 6 for every command, and nothing is written")
  func locked() throws {
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key)
    _ = try tool.run("lock")
    #expect(try tool.run("set", "closes", input: .text("lost")).exitCode == 6)
    #expect(try tool.run("add", "other", input: .text("lost")).exitCode == 6)
    #expect(try tool.run("rename", "closes", "--to", "gone").exitCode == 6)
    #expect(try tool.run("delete", "closes").exitCode == 6)
    // The group's name is locked too.
    let listing = try tool.run("list")
    #expect(listing.text == "\tstays\t\n")
    #expect(listing.errorText.contains("not shown: 1 "))
    _ = try tool.run("unlock", "--key-file", key)
    #expect(try tool.run("list").text == "default\tcloses\t\ndefault\tstays\t\n")
    #expect(try tool.secretText("closes") == "open sesame")
  }

  @Test("the agent's answer is final: a locked item is 6 at a terminal too, without a question")
  func finalAnswer() throws {
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key)
    _ = try tool.run("lock")
    let terminal = try PseudoTerminal()
    let outcome = try tool.start(["get", "closes"], at: terminal).finish()
    #expect(outcome.exitCode == 6)
    #expect(!terminal.rest().contains("Passphrase"))
  }

  @Test("what opens the vault, where it is named, comes before the agent")
  func named() throws {
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key)
    _ = try tool.run("lock")
    #expect(try tool.run("get", "closes", "--key-file", key).text == "open sesame")
    var variable = tool
    variable.environment["SECRETVAULT_KEY_FILE"] = key
    #expect(try variable.secretText("closes") == "open sesame")
    let folder = try TemporaryFolder()
    let contents = try #require(tool.home.contents(of: "key"))
    try folder.write(contents, to: "secretvault.key", mode: 0o400)
    var service = tool
    service.environment["CREDENTIALS_DIRECTORY"] = folder.path
    #expect(try service.secretText("closes") == "open sesame")
  }

  @Test(
    "a file that is no vault, or open to others, is told as such before the agent is asked for an item"
  )
  func wrongFile() throws {
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key)
    try tool.home.write(Array("no vault".utf8), to: "text", mode: 0o600)
    #expect(try tool.run("get", "closes", "--vault", tool.home.path("text")).exitCode == 10)
    try tool.home.write(Array("no vault".utf8), to: "open", mode: 0o644)
    #expect(try tool.run("get", "closes", "--vault", tool.home.path("open")).exitCode == 13)
    #expect(try tool.run("get", "closes", "--vault", tool.home.path("none")).exitCode == 9)
  }

  @Test("commands that change who opens the vault ask for a credential, whatever the agent holds")
  func administration() throws {
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key)
    for words in [["slot", "list"], ["check"], ["passphrase"]] {
      #expect(try tool.start(words).finish().exitCode == 7)
    }
  }

  @Test("case 65: reading many items asks nothing")
  func manyReads() throws {
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key)
    for _ in 0..<10 {
      let terminal = try PseudoTerminal()
      #expect(try tool.start(["get", "closes"], at: terminal).finish().exitCode == 0)
      #expect(terminal.rest() == "open sesame\r\n")
    }
  }

  @Test("no secret is on a command line, in a variable, or written to a file of the agent")
  func residue() throws {
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key)
    _ = try tool.secretText("closes")
    let agent = try #require(tool.runtime.agent)
    for name in ["cmdline", "environ"] {
      let bytes = FileManager.default.contents(atPath: "/proc/\(agent)/\(name)") ?? Data()
      #expect(!String(decoding: bytes, as: UTF8.self).contains("open sesame"))
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: tool.runtime.path + "/secretvault"
    )
    #expect(files.sorted() == ["agent.lock", "agent.sock"])
  }
}
