import Glibc
import TestSupport
import Testing

@Suite("tour")
struct TourTests {
  @Test("every step holds, with the commands and their real output, and the folder goes again")
  func holds() throws {
    var tool = try Tool()
    tool.environment["TMPDIR"] = tool.home.path
    let outcome = try tool.run("tour")
    #expect(outcome.exitCode == 0)
    #expect(outcome.text.contains("$ printf tok | SECRETVAULT_KEY_FILE=key secretvault set "))
    #expect(outcome.text.contains("\ndefault\tapi.example.com\talice\n"))
    #expect(outcome.text.contains("\nexit 8\n"))
    let verdict = try #require(outcome.text.split(separator: "\n").last)
    let match = try #require(verdict.wholeMatch(of: /(\d+) of (\d+) steps held/))
    #expect(match.1 == match.2)
    #expect(try tool.home.names() == [])
  }

  @Test("a signal ends it after the folder is gone", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signalled(signal: Int32) throws {
    var tool = try Tool()
    tool.environment["TMPDIR"] = tool.home.path
    let process = try tool.start(["tour"])
    try waitUntil { try !tool.home.names().isEmpty }
    process.send(signal)
    let outcome = try process.finish()
    #expect(outcome.signal == (signal == SIGINT ? nil : signal))
    #expect(outcome.exitCode == (signal == SIGINT ? 18 : nil))
    #expect(try tool.home.names() == [])
  }

  @Test("--json tells the same as a document")
  func json() throws {
    let document = try Tool().run("tour", "--json").json()
    let steps = try #require(document["steps"] as? [[String: Any]])
    #expect(steps.count >= 9)
    #expect(steps.allSatisfy { $0["held"] as? Bool == true })
  }

  @Test("a temporary folder that cannot be used makes it fail")
  func unusableFolder() throws {
    var tool = try Tool()
    tool.environment["TMPDIR"] = tool.home.path("nothing")
    let outcome = try tool.run("tour")
    #expect(outcome.exitCode != 0)
    #expect(outcome.isOneErrorLine)
  }

  @Test("a step that breaks is seen, and the exit code says so")
  func brokenStep() throws {
    var tool = try Tool()
    tool.environment["TMPDIR"] = tool.home.path
    // Files may not grow beyond 4 KiB, so no vault can be made.
    let script = "ulimit -f 8; exec \"$0\" tour"
    let request = ChildProcess.Request(
      executable: "/bin/sh",
      arguments: ["-c", script, Tool.executable].map { Array($0.utf8) },
      environment: tool.environment
    )
    let outcome = try ChildProcess(request).finish()
    #expect(outcome.exitCode != 0)
    #expect(outcome.text.contains("this did not hold: "))
    let verdict = try #require(outcome.text.split(separator: "\n").last)
    let match = try #require(verdict.wholeMatch(of: /(\d+) of (\d+) steps held/))
    #expect(match.1 != match.2)
    #expect(try tool.home.names() == [])
  }
}
