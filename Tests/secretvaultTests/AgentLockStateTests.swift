import Foundation
import TestSupport
import Testing

@Suite("a program that follows the agent's lock state")
struct AgentLockStateTests {
  /// A program that has the vault open with its own credential, and does what is typed to it.
  private struct Program {
    let terminal: PseudoTerminal
    let process: ChildProcess

    init(_ tool: Tool) throws {
      let worker = URL(fileURLWithPath: Tool.executable).deletingLastPathComponent()
        .appendingPathComponent("VaultWorker").path
      let paths = [Tool.vaultPath, ".local/state/secretvault", "key"].map { tool.home.path($0) }
      var request = ChildProcess.Request(
        executable: worker,
        arguments: (["follow-agent"] + paths + ["item"]).map { Array($0.utf8) },
        environment: tool.environment
      )
      terminal = try PseudoTerminal()
      request.terminal = terminal
      request.input = .terminal
      request.output = .terminal
      request.errors = .terminal
      process = try ChildProcess(request)
    }

    func answer(to line: String, _ answer: String) throws {
      try terminal.type(line + "\r")
      try terminal.expect(answer)
    }

    /// Opens its store with its own credential, and reads with it.
    func opensAndReads() throws {
      try answer(to: "unlock", "opened")
      try answer(to: "get", "got s3cret")
    }

    func end() throws {
      try terminal.type("\u{4}")
      #expect(try process.finish().exitCode == 0)
    }
  }

  private static func tool() throws -> (tool: Tool, key: String) {
    let tool = try Tool.withVault()
    try tool.store("s3cret", "item")
    return (tool.withoutCredential, tool.home.path("key"))
  }

  @Test("its keys are gone when lock returns, and after an unlock it opens with its own credential")
  func locks() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    let program = try Program(tool)
    try program.terminal.expect("at first unlocked")
    try program.answer(to: "get", "failed locked")
    try program.opensAndReads()
    for _ in 0..<5 {
      #expect(try tool.run("lock").exitCode == 0)
      try program.answer(to: "get", "failed locked")
      _ = try tool.run("unlock", "--key-file", key)
      try program.terminal.expect("now unlocked")
      try program.opensAndReads()
    }
    try program.end()
  }

  @Test("it locks when the agent dies, and follows the next agent")
  func agentDies() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    let program = try Program(tool)
    try program.terminal.expect("at first unlocked")
    try program.answer(to: "unlock", "opened")
    for signal in [SIGKILL, SIGTERM] {
      tool.runtime.kill(signal)
      try program.terminal.expect("now locked")
      try program.answer(to: "get", "failed locked")
      try waitUntil { tool.runtime.agent == nil }
      _ = try tool.run("unlock", "--key-file", key)
      try program.terminal.expect("now unlocked")
      try program.opensAndReads()
    }
    try program.end()
  }

  @Test("before there is an agent it is locked; one that starts later is followed")
  func agentComes() throws {
    let (tool, key) = try Self.tool()
    let program = try Program(tool)
    try program.terminal.expect("at first locked")
    _ = try tool.run("agent")
    try program.terminal.expect("now beforeFirstUnlock")
    _ = try tool.run("unlock", "--key-file", key)
    try program.terminal.expect("now unlocked")
    try program.end()
  }

  @Test(
    "a program that is stopped holds up a lock for a second or two, and follows again when it goes on"
  )
  func stopped() throws {
    let (tool, key) = try Self.tool()
    _ = try tool.run("unlock", "--key-file", key)
    let program = try Program(tool)
    try program.terminal.expect("at first unlocked")
    try program.answer(to: "unlock", "opened")
    program.process.send(SIGSTOP)
    let start = ContinuousClock.now
    #expect(try tool.run("lock").exitCode == 0)
    #expect(ContinuousClock.now - start < .seconds(4))
    program.process.send(SIGCONT)
    try program.terminal.expect("now locked")
    try program.answer(to: "get", "failed locked")
    _ = try tool.run("unlock", "--key-file", key)
    try program.terminal.expect("now unlocked")
    try program.opensAndReads()
    try program.end()
  }
}
