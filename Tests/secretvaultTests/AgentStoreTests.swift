import TestSupport
import Testing

/// Each test is a program of its own, because where the agent is depends on a variable of the process.
@Suite("a program that reads and writes through the agent")
struct AgentStoreTests {
  /// A tool with a vault, and where the program finds the vault and the agent.
  private struct Setting {
    let tool: Tool
    let program: AgentStoreProgram

    init(isUnlocked: Bool = true) throws {
      tool = try Tool.withVault()
      try tool.store("x", "stored")
      if isUnlocked { _ = try tool.run("unlock") }
      program = AgentStoreProgram(
        runtime: tool.runtime.path,
        vault: tool.home.path(Tool.vaultPath),
        key: tool.home.path("key"),
        tool: Tool.executable
      )
    }
  }

  @Test("every call means the same as on a vault that the program has opened")
  func calls() async throws {
    let setting = try Setting()
    await #expect(processExitsWith: .success) { [program = setting.program as AgentStoreProgram] in
      try program.makeEveryCall()
    }
  }

  @Test("a secret of 1 MiB passes with the longest attributes, and a byte more is limitExceeded")
  func largest() async throws {
    let setting = try Setting()
    await #expect(processExitsWith: .success) { [program = setting.program as AgentStoreProgram] in
      try program.storeTheLargest()
    }
  }

  @Test("a listing of many items is whole")
  func longListing() async throws {
    let setting = try Setting()
    await #expect(processExitsWith: .success) { [program = setting.program as AgentStoreProgram] in
      try program.listMany()
    }
  }

  @Test("a connection that the agent closed because it was idle is opened again, for writes too")
  func idle() async throws {
    let setting = try Setting()
    await #expect(processExitsWith: .success) { [program = setting.program as AgentStoreProgram] in
      try program.useAgainAfterAWhile()
    }
  }

  @Test("updates of many tasks at once are all made")
  func updates() async throws {
    let setting = try Setting()
    await #expect(processExitsWith: .success) { [program = setting.program as AgentStoreProgram] in
      try await program.countTogether()
    }
  }

  @Test("a child made by fork and its parent each get the answers to their own questions")
  func forked() async throws {
    let setting = try Setting()
    await #expect(processExitsWith: .success) { [program = setting.program as AgentStoreProgram] in
      try program.askInParentAndChild()
    }
  }

  @Test("without an agent there is no store")
  func noAgent() async throws {
    let setting = try Setting(isUnlocked: false)
    await #expect(processExitsWith: .success) { [program = setting.program as AgentStoreProgram] in
      try program.findNobody()
    }
  }

  @Test("after a lock and after the agent's end calls throw locked, and the next agent is found")
  func agentGoes() async throws {
    let setting = try Setting()
    await #expect(processExitsWith: .success) { [program = setting.program as AgentStoreProgram] in
      try program.outliveAgents()
    }
  }
}
