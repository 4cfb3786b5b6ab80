import Foundation
import TestSupport
import Testing

/// How a vault comes to an agent, how long it stays, and what is told of it.
@Suite("unlock, lock and status")
struct AgentUnlockTests {
  @Test(
    "case 43: unlock is 0 only when the vault is unlocked, and then says so; else nothing is written"
  )
  func unlockTells() throws {
    let (tool, key) = try Tool.forAgent()
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
    let (tool, _) = try Tool.forAgent()
    #expect(try tool.run("unlock").exitCode == 7)
    #expect(tool.runtime.agent == nil)
    let wrong = try tool.home.write("wrong\n", to: "wrong")
    #expect(try tool.run("unlock", "--passphrase-file", wrong).exitCode == 8)
  }

  @Test("a missing vault is 9 for unlock, status and get, with and without an agent")
  func missingVault() throws {
    let (tool, key) = try Tool.forAgent()
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
    let (tool, key) = try Tool.forAgent()
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
    let (tool, key) = try Tool.forAgent()
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
    let (tool, key) = try Tool.forAgent()
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
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key, "--lifetime", "2")
    try waitUntil { try tool.run("get", "stays").exitCode == 6 }
  }

  @Test("what opens the vault may come later than the agent keeps a silent connection")
  func slowCredential() throws {
    let (tool, key) = try Tool.forAgent()
    let code = tool.home.path("code")
    _ = try tool.run("slot", "add", "--recovery-code-file", code, "--key-file", key)
    let script = "(sleep 6; cat \"$1\") | exec \"$0\" unlock --recovery-code-fd 0"
    let request = ChildProcess.Request(
      executable: "/bin/sh",
      arguments: ["-c", script, Tool.executable, code].map { Array($0.utf8) },
      environment: tool.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
    )
    #expect(try ChildProcess(request).finish().exitCode == 0)
    #expect(try tool.run("status").exitCode == 0)
  }

  @Test("a vault whose keys were rotated is not unlocked in the agent, and unlock opens it anew")
  func rotated() throws {
    let (tool, key) = try Tool.forAgent()
    let group = try tool.run("group", "create", "other", "--key-file", key)
    #expect(group.exitCode == 0)
    for words in [["rotate"], ["rotate", "--group", "other"]] {
      #expect(try tool.run("unlock", "--key-file", key).exitCode == 0)
      #expect(try tool.start(words + ["--key-file", key]).finish().exitCode == 0)
      #expect(try tool.run("unlock").exitCode == 7)
      #expect(try tool.run("status").text == "not unlocked yet\n")
    }
  }

  @Test("unlocking an unlocked vault asks nothing")
  func unlockedAlready() throws {
    let (tool, key) = try Tool.forAgent()
    _ = try tool.run("unlock", "--key-file", key)
    let again = try tool.run("unlock")
    #expect(again.exitCode == 0)
    #expect(again.text.hasPrefix("unlocked"))
  }
}
