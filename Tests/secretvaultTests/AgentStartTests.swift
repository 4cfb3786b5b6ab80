import Foundation
import TestSupport
import Testing

/// What the tool says where an agent cannot start, or nobody may trust the place of its socket.
@Suite("agents that cannot start")
struct AgentStartTests {
  private static let canTrace = (try? trace(["/bin/true"], [:]).exitCode) == 0

  private static func trace(
    _ words: [String],
    _ environment: [String: String]
  ) throws -> ChildProcess.Outcome {
    let options = ["-f", "-o", "/dev/null", "-e", "trace=signalfd4"]
    let request = ChildProcess.Request(
      executable: "/usr/bin/strace",
      arguments: (options + words).map { Array($0.utf8) },
      environment: environment
    )
    return try ChildProcess(request).finish()
  }

  @Test("a runtime folder that others can enter is 13, for the agent and for its clients")
  func insecureFolder() throws {
    let (tool, key) = try AgentProcessTests.tool()
    let folder = tool.runtime.path + "/secretvault"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755]
    )
    for words in [["agent"], ["unlock", "--key-file", key], ["status"], ["get", "item"]] {
      let outcome = try tool.start(words).finish()
      #expect(outcome.exitCode == 13)
      #expect(outcome.isOneErrorLine)
    }
  }

  @Test("a runtime folder with too long a path is an error that says so, and no agent for a reader")
  func longPath() throws {
    var (tool, key) = try AgentProcessTests.tool()
    let long = tool.home.path(String(repeating: "x", count: 90))
    try FileManager.default.createDirectory(atPath: long, withIntermediateDirectories: false)
    tool.environment["XDG_RUNTIME_DIR"] = long
    let outcome = try tool.run("unlock", "--key-file", key)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("XDG_RUNTIME_DIR"))
    #expect(try tool.run("get", "item", "--key-file", key).text == "s3cret")
  }

  @Test("an agent whose socket was removed is told apart from one that cannot start")
  func removedSocket() throws {
    let (tool, key) = try AgentProcessTests.tool()
    #expect(try tool.run("unlock", "--key-file", key).exitCode == 0)
    let agent = try #require(tool.runtime.agent)
    try FileManager.default.removeItem(atPath: tool.runtime.socketPath)
    let outcome = try tool.run("unlock", "--key-file", key)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorText.contains("an agent runs, but its socket was removed"))
    #expect(kill(agent, SIGTERM) == 0)
    try waitUntil { try tool.run("unlock", "--key-file", key).exitCode == 0 }
  }

  @Test(
    "an agent that is killed at its start is an error that says so",
    .enabled(if: AgentStartTests.canTrace, "strace is missing or may not trace")
  )
  func killedAtStart() throws {
    let tool = try Tool()
    let outcome = try Self.trace(
      ["-e", "inject=signalfd4:signal=SIGKILL", Tool.executable, "agent"],
      tool.environment
    )
    #expect(outcome.exitCode == 1)
    #expect(outcome.isOneErrorLine)
    #expect(tool.runtime.agent == nil)
  }
}
