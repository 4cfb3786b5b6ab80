import Foundation
import TestSupport
import Testing

@Suite(
  "the agent in real terminals",
  .enabled(if: TerminalWindow.isUsable, "tmux is missing; install the package tmux")
)
struct AgentTerminalTests {
  private static let passphrase = "typed-passphrase"

  private static func tool() throws -> Tool {
    let tool = try Tool()
    let file = try tool.home.write(passphrase + "\n", to: "pw")
    let afterFirstUnlock = ["--accessibility", "afterFirstUnlock"]
    for words in [["init"], ["set", "closes"], ["set", "stays"] + afterFirstUnlock] {
      let process = try tool.start(words + ["--passphrase-file", file], input: .text("its secret"))
      let outcome = try process.finish()
      if outcome.exitCode != 0 { throw SetupFailure(description: outcome.errorText) }
    }
    return tool
  }

  /// A window with the tool in the variable `V`, and a terminal whose name it has told.
  private struct Window {
    let window: TerminalWindow
    private let terminal: String

    init(_ tool: Tool, _ number: Int) throws {
      let variables = tool.environment.merging(["V": Tool.executable]) { $1 }
      window = try TerminalWindow(columns: 150, rows: 40, environment: variables)
      let file = tool.home.path("terminal \(number)")
      try window.type("tty > '\(file)'; echo told")
      try window.expect("\ntold")
      let contents = tool.home.contents(of: "terminal \(number)") ?? []
      terminal = String(decoding: contents.dropLast(), as: UTF8.self)
      try window.type("clear")
    }

    /// Whether what is typed to a program is shown; the shell itself turns that off as well.
    func echoes() throws -> Bool {
      var request = ChildProcess.Request(
        executable: "/bin/stty",
        arguments: ["-a", "-F", terminal].map { Array($0.utf8) },
        environment: [:]
      )
      request.input = .closed
      return try ChildProcess(request).finish().text.contains(" echo ")
    }
  }

  @Test(
    "unlock asks once unseen; get elsewhere asks nothing; lock closes what is whenUnlocked only"
  )
  func workday() throws {
    let tool = try Self.tool()
    let first = try Window(tool, 1)
    let second = try Window(tool, 2)
    try first.window.type("$V unlock; echo ended $?; stty -a | grep -ow -- '-*echo'")
    try first.window.expect("Passphrase for ")
    #expect(try !first.echoes())
    try first.window.type(Self.passphrase)
    try first.window.expect("\nended 0\necho")
    let screen = try first.window.screen()
    #expect(screen.components(separatedBy: "Passphrase for ").count == 2)
    #expect(!screen.contains(Self.passphrase))

    try second.window.type("$V get closes; echo read $?")
    try second.window.expect("\nits secret\nread 0")
    try second.window.type("$V lock; $V get closes; echo closed $?")
    try second.window.expect("\nclosed 6")
    try second.window.type("$V get stays; echo open $?")
    try second.window.expect("\nits secret\nopen 0")
    #expect(try !second.window.screen().contains("Passphrase"))
  }

  @Test("^C at the question is 18, restores the echo and unlocks nothing")
  func interrupt() throws {
    let tool = try Self.tool()
    let first = try Window(tool, 1)
    try first.window.type("$V unlock; echo ended $?; stty -a | grep -ow -- '-*echo'")
    try first.window.expect("Passphrase for ")
    #expect(try !first.echoes())
    try first.window.press("h")
    try first.window.press("C-c")
    try first.window.expect("\nended 18\necho")
    #expect(try tool.run("status").exitCode == 6)
  }
}
