import Foundation
import TestSupport
import Testing

@Suite("at the terminal, when a signal comes")
struct TerminalSignalTests {
  @Test("a signal at a question restores the echo first", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signalled(signal: Int32) throws {
    let tool = try Tool()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["init"], at: terminal)
    try terminal.expect("New passphrase: ")
    process.send(signal)
    let outcome = try process.finish()
    #expect(outcome.signal == (signal == SIGINT ? nil : signal))
    #expect(outcome.exitCode == (signal == SIGINT ? 18 : nil))
    #expect(terminal.echoes)
  }

  @Test(
    "after a stop the question is asked anew, unseen, although the shell has shown what is typed"
  )
  func stopped() throws {
    let (tool, _) = try TerminalTests.typedVault()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["list"], at: terminal)
    try terminal.expect("Passphrase for ")
    process.send(SIGSTOP)
    terminal.echo()
    process.send(SIGCONT)
    try terminal.expect("Passphrase for ")
    #expect(!terminal.echoes)
    try terminal.type(TerminalTests.passphrase + "\r")
    #expect(try process.finish().exitCode == 0)
    #expect(terminal.echoes)
  }

  @Test("a terminal that goes before the recovery code is shown takes no key file with it")
  func terminalGoes() throws {
    let tool = try Tool()
    let key = tool.home.path("key")
    let passphrase = try tool.home.write("correct horse battery\n", to: "pw")
    var terminal: PseudoTerminal? = try PseudoTerminal()
    var request = ChildProcess.Request(
      executable: "/bin/sh",
      arguments: [
        "-c", "trap '' HUP; exec \"$0\" \"$@\"", Tool.executable, "init", "--either",
        "--passphrase-file", passphrase, "--generate-key-file", key,
      ].map { Array($0.utf8) },
      environment: tool.environment
    )
    request.terminal = terminal
    let process = try ChildProcess(request)
    request.terminal = nil
    try waitUntil { tool.home.has("key") }
    // It opens the terminal next, which only root could see, and then stretches the passphrase for longer than this.
    usleep(50_000)
    terminal = nil
    _ = try process.finish()
    #expect(try tool.run("list", "--key-file", key).exitCode == 0)
  }
}
