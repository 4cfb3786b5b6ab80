import Foundation
import TestSupport
import Testing

@Suite("the question for the passphrase of unlock")
struct AgentPromptTests {
  static let passphrase = "typed passphrase"

  /// A tool whose vault has a passphrase, with a running agent that does not hold the vault.
  private static func tool() throws -> Tool {
    let tool = try Tool()
    let file = try tool.home.write(passphrase + "\n", to: "pw")
    let made = try tool.run("init", "--passphrase-file", file)
    if made.exitCode != 0 { throw SetupFailure(description: made.errorText) }
    _ = try tool.run("agent")
    return tool
  }

  @Test("unlock asks once at a terminal; a wrong answer is 8, and the next unlock asks again")
  func asks() throws {
    let tool = try Self.tool()
    let terminal = try PseudoTerminal()
    for (answer, code) in [("wrong", 8), (Self.passphrase, 0)] as [(String, Int32)] {
      let process = try tool.start(["unlock"], at: terminal)
      try terminal.expect("Passphrase for ")
      #expect(!terminal.echoes)
      try terminal.type(answer + "\r")
      #expect(try process.finish().exitCode == code)
      #expect(terminal.echoes)
      #expect(!terminal.rest().contains(answer))
    }
    #expect(try tool.run("status").exitCode == 0)
  }

  @Test("many that wait show one question; its answer unlocks for all")
  func oneQuestion() throws {
    let tool = try Self.tool()
    let terminals = try (0..<6).map { _ in try PseudoTerminal() }
    let processes = try terminals.map { try tool.start(["unlock"], at: $0) }
    let asking = try #require(try Self.asking(terminals))
    try terminals[asking].type(Self.passphrase + "\r")
    for (index, process) in processes.enumerated() {
      #expect(try process.finish().exitCode == 0)
      #expect(terminals[index].rest().contains("unlocked; "))
    }
    for (index, terminal) in terminals.enumerated() where index != asking {
      #expect(!terminal.rest().contains("Passphrase"))
    }
  }

  @Test(
    "when the one that asks is cancelled or killed, the next one asks",
    arguments: [true, false]
  )
  func turnMoves(cancels: Bool) throws {
    let tool = try Self.tool()
    let terminals = try (0..<2).map { _ in try PseudoTerminal() }
    let processes = try terminals.map { try tool.start(["unlock"], at: $0) }
    let asking = try #require(try Self.asking(terminals))
    if cancels {
      try terminals[asking].type("\u{3}")
    } else {
      processes[asking].send(SIGKILL)
    }
    #expect(try processes[asking].finish().exitCode == (cancels ? 18 : nil))
    let other = 1 - asking
    try terminals[other].expect("Passphrase for ")
    try terminals[other].type(Self.passphrase + "\r")
    #expect(try processes[other].finish().exitCode == 0)
  }

  @Test("items of another vault are served while a question waits for its answer")
  func servesOn() throws {
    let tool = try Self.tool()
    let other = tool.home.path("other.vault")
    let key = tool.home.path("key")
    _ = try tool.run("init", "--vault", other, "--generate-key-file", key)
    _ = try tool.run("unlock", "--vault", other, "--key-file", key)
    let terminals = try (0..<20).map { _ in try PseudoTerminal() }
    let processes = try terminals.map { try tool.start(["unlock"], at: $0) }
    let asking = try #require(try Self.asking(terminals))
    let setting = try tool.start(["set", "a", "--vault", other], input: .text("v"))
    #expect(try setting.finish(within: .seconds(10)).exitCode == 0)
    #expect(try tool.run("get", "a", "--vault", other).text == "v")
    try terminals[asking].type(Self.passphrase + "\r")
    for process in processes { #expect(try process.finish().exitCode == 0) }
  }

  /// The place of the terminal where the question appeared.
  private static func asking(_ terminals: [PseudoTerminal]) throws -> Int? {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      for (index, terminal) in terminals.enumerated()
      where terminal.rest().contains("Passphrase for ") {
        return index
      }
      usleep(10_000)
    }
    return nil
  }
}
