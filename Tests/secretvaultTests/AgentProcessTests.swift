import Foundation
import TestSupport
import Testing

@Suite("the agent's process")
struct AgentProcessTests {
  static func tool() throws -> (tool: Tool, key: String) {
    let tool = try Tool.withVault()
    try tool.store("s3cret", "item")
    return (tool.withoutCredential, tool.home.path("key"))
  }

  @Test("agent returns when it can be reached; a second one is 5 and the first one stays")
  func second() throws {
    let (tool, key) = try Self.tool()
    #expect(try tool.run("agent", "--idle", "1h").exitCode == 0)
    let first = try #require(tool.runtime.agent)
    _ = try tool.run("unlock", "--key-file", key)
    for words in [["agent"], ["agent", "--foreground"]] {
      let outcome = try tool.start(words).finish()
      #expect(outcome.exitCode == 5)
      #expect(outcome.isOneErrorLine)
    }
    #expect(tool.runtime.agent == first)
    #expect(try tool.secretText("item") == "s3cret")
    let status = try tool.run("status", "--json").json()
    let idle = try #require(status["idleSeconds"] as? Int)
    #expect((3500...3600).contains(idle))
  }

  @Test("case 64: a killed agent takes the keys with it, and the socket it leaves is replaced")
  func killed() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    let first = try #require(tool.runtime.agent)
    tool.runtime.kill(SIGKILL)
    try waitUntil { tool.runtime.agent == nil }
    #expect(FileManager.default.fileExists(atPath: tool.runtime.socketPath))
    #expect(try tool.run("get", "item").exitCode == 7)
    #expect(try tool.run("status").exitCode == 6)
    #expect(try tool.run("unlock", "--key-file", key).exitCode == 0)
    #expect(try tool.secretText("item") == "s3cret")
    #expect(try #require(tool.runtime.agent) != first)
  }

  @Test("SIGHUP and SIGUSR1 lock; SIGTERM ends the agent with 0 and removes its socket")
  func signals() throws {
    let (tool, key) = try Self.tool()
    let agent = try tool.start(["agent", "--foreground"])
    try waitUntil { tool.runtime.agent == agent.identifier }
    for signal in [SIGHUP, SIGUSR1] {
      _ = try tool.run("unlock", "--key-file", key)
      #expect(try tool.run("status").exitCode == 0)
      agent.send(signal)
      try waitUntil { try tool.run("status").exitCode == 6 }
    }
    agent.send(SIGTERM)
    let outcome = try agent.finish()
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: tool.runtime.socketPath))
  }

  @Test(
    "the agent lives in a session and a folder of its own, with nothing of its caller open",
    .enabled(if: geteuid() == 0, "only root sees the descriptors of a process that is not dumpable")
  )
  func detached() throws {
    let (tool, key) = try Self.tool()
    let outcome = try tool.run("unlock", "--passphrase-fd", "7", "--key-file", key) {
      $0.descriptors[7] = Array("unused\n".utf8)
    }
    #expect(outcome.exitCode == 0)
    let agent = try #require(tool.runtime.agent)
    #expect(getsid(agent) == agent)
    let files = FileManager.default
    #expect(try files.destinationOfSymbolicLink(atPath: "/proc/\(agent)/cwd") == "/")
    for number in 0...2 {
      let target = try files.destinationOfSymbolicLink(atPath: "/proc/\(agent)/fd/\(number)")
      #expect(target == "/dev/null")
    }
    let targets = try files.contentsOfDirectory(atPath: "/proc/\(agent)/fd").compactMap {
      try? files.destinationOfSymbolicLink(atPath: "/proc/\(agent)/fd/\($0)")
    }
    #expect(!targets.contains { $0.hasPrefix("pipe:") })
  }

  @Test("lengths of time have a unit or are seconds; anything else is 2")
  func durations() throws {
    let tool = try Tool()
    for good in ["0", "90", "90s", "15m", "12h", "2d"] {
      let units = try tool.run("agent", "--print-unit", "--idle", good)
      #expect(units.exitCode == 0)
    }
    #expect(try tool.run("agent", "--print-unit", "--idle", "15m").text.contains("--idle=900s"))
    for bad in [
      "", "m", "-1", "1.5h", "1w", "15 m", "1h30m", "999999999999999999999d", "99999999d",
    ] {
      #expect(try tool.run("agent", "--print-unit", "--idle=\(bad)").exitCode == 2)
    }
  }

  @Test(
    "--print-unit writes units that name this very executable and the socket where clients look"
  )
  func units() throws {
    let text = try Tool().run("agent", "--print-unit").text
    #expect(text.contains("ExecStart=\"\(Tool.executable)\" agent --foreground\n"))
    #expect(text.contains("ListenStream=%t/secretvault/agent.sock\n"))
    #expect(text.contains("SocketMode=0600\n"))
    #expect(text.contains("NoNewPrivileges=yes\n"))
  }

  /// Listens as a service manager does and becomes the agent.
  private static let activation = """
    import os, socket, sys
    os.makedirs(os.path.dirname(sys.argv[2]), mode=0o700)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(sys.argv[2])
    os.chmod(sys.argv[2], 0o600)
    listener.listen()
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    os.environ["LISTEN_PID"] = str(os.getpid())
    os.environ["LISTEN_FDS"] = "1"
    os.execv(sys.argv[1], ["secretvault", "agent", "--foreground"])
    """

  private static let python = "/usr/bin/python3"

  @Test(
    "a socket that a service manager made is served, and stays when the agent ends",
    .enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is missing")
  )
  func activated() throws {
    let (tool, key) = try Self.tool()
    let request = ChildProcess.Request(
      executable: Self.python,
      arguments: ["-c", Self.activation, Tool.executable, tool.runtime.socketPath]
        .map { Array($0.utf8) },
      environment: tool.environment
    )
    let agent = try ChildProcess(request)
    try waitUntil { tool.runtime.agent == agent.identifier }
    #expect(try tool.run("unlock", "--key-file", key).exitCode == 0)
    #expect(try tool.secretText("item") == "s3cret")
    agent.send(SIGTERM)
    #expect(try agent.finish().exitCode == 0)
    #expect(FileManager.default.fileExists(atPath: tool.runtime.socketPath))
  }
}
