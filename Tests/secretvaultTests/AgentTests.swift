import Foundation
import TestSupport
import Testing

@Suite("the agent")
struct AgentTests {
  /// A tool whose vault holds an item of either kind, and which has nothing that opens the vault but a file to name.
  private static func tool() throws -> (tool: Tool, key: String) {
    let tool = try Tool.withVault()
    try tool.store("open sesame", "closes")
    try tool.store(Array("always".utf8), "--accessibility", "afterFirstUnlock", "stays")
    return (tool.withoutCredential, tool.home.path("key"))
  }

  @Test("unlock starts the agent; then every command works without a question, until lock")
  func mainJob() throws {
    let (tool, key) = try Self.tool()
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
    let (tool, key) = try Self.tool()
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
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    _ = try tool.run("lock")
    let terminal = try PseudoTerminal()
    let outcome = try tool.start(["get", "closes"], at: terminal).finish()
    #expect(outcome.exitCode == 6)
    #expect(!terminal.rest().contains("Passphrase"))
  }

  @Test("what opens the vault, where it is named, comes before the agent")
  func named() throws {
    let (tool, key) = try Self.tool()
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
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    try tool.home.write(Array("no vault".utf8), to: "text", mode: 0o600)
    #expect(try tool.run("get", "closes", "--vault", tool.home.path("text")).exitCode == 10)
    try tool.home.write(Array("no vault".utf8), to: "open", mode: 0o644)
    #expect(try tool.run("get", "closes", "--vault", tool.home.path("open")).exitCode == 13)
    #expect(try tool.run("get", "closes", "--vault", tool.home.path("none")).exitCode == 9)
  }

  @Test("commands that change who opens the vault ask for a credential, whatever the agent holds")
  func administration() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    for words in [["slot", "list"], ["check"], ["passphrase"]] {
      #expect(try tool.start(words).finish().exitCode == 7)
    }
  }

  @Test(
    "case 43: unlock is 0 only when the vault is unlocked, and then says so; else nothing is written"
  )
  func unlockTells() throws {
    let (tool, key) = try Self.tool()
    let wrong = try tool.home.write("wrong\n", to: "wrong")
    for words in [
      ["unlock"], ["unlock", "--passphrase-file", wrong], ["unlock", "--idle", "soon"],
    ] {
      let failed = try tool.start(words).finish()
      #expect(failed.exitCode != 0)
      #expect(failed.output.isEmpty)
      #expect(failed.isOneErrorLine)
      #expect(try tool.run("status").exitCode == 6)
    }
    let done = try tool.run("unlock", "--key-file", key)
    #expect(done.text.hasPrefix("unlocked; locks in "))
    #expect(try tool.run("status").exitCode == 0)
  }

  @Test("a wrong passphrase is 8, and no credential without a terminal is 7 and starts no agent")
  func refusals() throws {
    let (tool, _) = try Self.tool()
    #expect(try tool.run("unlock").exitCode == 7)
    #expect(tool.runtime.agent == nil)
    let wrong = try tool.home.write("wrong\n", to: "wrong")
    #expect(try tool.run("unlock", "--passphrase-file", wrong).exitCode == 8)
  }

  @Test("a missing vault is 9 for unlock, status and get, with and without an agent")
  func missingVault() throws {
    let (tool, key) = try Self.tool()
    let paths = [tool.home.path("none.vault"), tool.home.path("nowhere/none.vault")]
    for hasAgent in [false, true] {
      if hasAgent { _ = try tool.run("unlock", "--key-file", key) }
      for path in paths {
        #expect(try tool.run("unlock", "--vault", path, "--key-file", key).exitCode == 9)
        #expect(try tool.run("status", "--vault", path).exitCode == 9)
        #expect(try tool.run("get", "closes", "--vault", path).exitCode == 9)
      }
    }
  }

  @Test(
    "without an agent, lock is 0 and status 6; lock --vault locks one vault and leaves the others"
  )
  func lockOne() throws {
    let (tool, key) = try Self.tool()
    #expect(try tool.run("lock").exitCode == 0)
    #expect(try tool.run("status").exitCode == 6)
    #expect(tool.runtime.agent == nil)
    let other = tool.home.path("other.vault")
    _ = try tool.run("init", "--vault", other, "--key-file", key)
    _ = try tool.run("unlock", "--key-file", key)
    _ = try tool.run("unlock", "--vault", other, "--key-file", key)
    #expect(try tool.run("lock", "--vault", other).exitCode == 0)
    #expect(try tool.run("status", "--vault", other).exitCode == 6)
    #expect(try tool.run("status").exitCode == 0)
    #expect(try tool.run("lock").exitCode == 0)
    #expect(try tool.run("lock").exitCode == 0)
    #expect(try tool.run("status").exitCode == 6)
  }

  @Test("status tells the state and the limits, as a line and as JSON")
  func status() throws {
    let (tool, key) = try Self.tool()
    let none = try tool.run("status", "--json")
    #expect(try none.json()["agent"] as? Bool == false)
    #expect(try none.errorJSON()["error"] != nil)
    _ = try tool.run("unlock", "--key-file", key, "--idle", "10m", "--lifetime", "0")
    let some = try tool.run("status", "--json")
    let document = try some.json()
    #expect(document["state"] as? String == "unlocked")
    #expect(document["vault"] as? String == tool.home.path(Tool.vaultPath))
    let idle = try #require(document["idleSeconds"] as? Int)
    #expect((590...600).contains(idle))
    #expect(document["lifetimeSeconds"] is NSNull)
    #expect(try tool.run("status").text.hasPrefix("unlocked; locks in "))
    _ = try tool.run("lock")
    #expect(try tool.run("status").text.hasPrefix("locked"))
  }

  @Test(
    "case 62: a vault that nobody uses locks in time, also when its status is asked for all the time"
  )
  func idle() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key, "--idle", "2s")
    let start = ContinuousClock.now
    try waitUntil { try tool.run("status").exitCode == 6 }
    let locked = ContinuousClock.now - start
    #expect(locked > .milliseconds(900) && locked < .seconds(10))
    #expect(try tool.run("get", "closes").exitCode == 6)
    #expect(try tool.secretText("stays") == "always")
  }

  @Test("after its lifetime a vault is forgotten, although it is used")
  func lifetime() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key, "--lifetime", "2")
    try waitUntil { try tool.run("get", "stays").exitCode == 6 }
  }

  @Test("case 65: reading many items asks nothing")
  func manyReads() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    for _ in 0..<10 {
      let terminal = try PseudoTerminal()
      #expect(try tool.start(["get", "closes"], at: terminal).finish().exitCode == 0)
      #expect(terminal.rest() == "open sesame\r\n")
    }
  }

  @Test("unlocking an unlocked vault asks nothing")
  func unlockedAlready() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    let again = try tool.run("unlock")
    #expect(again.exitCode == 0)
    #expect(again.text.hasPrefix("unlocked"))
  }

  @Test("no secret is on a command line, in a variable, or written to a file of the agent")
  func residue() throws {
    let (tool, key) = try Self.tool()
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
