import Foundation
import TestSupport
import Testing

@Suite("a program that asks for the passphrase")
struct AskpassTests {
  private static let passphrase = "pass $(phrase) 'x'\n"

  /// A tool that asks by a program which notes its arguments and answers from a file.
  private static func tool() throws -> Tool {
    var tool = try Tool()
    let file = try tool.home.write(passphrase + "\n", to: "pw")
    let made = try tool.run("init", "--passphrase-file", file)
    if made.exitCode != 0 { throw SetupFailure(description: made.errorText) }
    tool.environment["SECRETVAULT_ASKPASS"] = "1"
    tool.environment["SSH_ASKPASS"] = try tool.home.write(
      """
      #!/bin/sh
      printf '%s|' "$@" >> '\(tool.home.path("asked"))'
      cat '\(tool.home.path("pw"))'
      """,
      to: "ask me; touch shell",
      mode: 0o700
    )
    return tool
  }

  private static func asked(_ tool: Tool) -> String? {
    tool.home.contents(of: "asked").map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("it gets the question as its one argument, and what it writes is used less one newline")
  func answers() throws {
    let tool = try Self.tool()
    #expect(try tool.run("list").exitCode == 0)
    let path = tool.home.path(Tool.vaultPath)
    #expect(Self.asked(tool) == "Passphrase for \(path): |")
    #expect(!tool.home.has("shell"))
    #expect(!FileManager.default.fileExists(atPath: "shell"))
  }

  @Test("it does not read the secret on standard input, nor is it asked twice")
  func input() throws {
    let tool = try Self.tool()
    try tool.store("from standard input", "a")
    #expect(try tool.secretText("a") == "from standard input")
    #expect(Self.asked(tool)?.count { $0 == "|" } == 2)
  }

  @Test("it comes before the terminal, and what is named comes before it")
  func order() throws {
    let tool = try Self.tool()
    let terminal = try PseudoTerminal()
    #expect(try tool.start(["list"], at: terminal).finish().exitCode == 0)
    #expect(!terminal.rest().contains("Passphrase"))
    let before = Self.asked(tool)
    #expect(try tool.run("list", "--passphrase-file", tool.home.path("pw")).exitCode == 0)
    #expect(Self.asked(tool) == before)
  }

  @Test("an agent that runs comes before it; unlock and administration use it")
  func agent() throws {
    let tool = try Self.tool()
    #expect(try tool.run("agent").exitCode == 0)
    #expect(try tool.run("list").exitCode == 6)
    #expect(Self.asked(tool) == nil)
    #expect(try tool.run("unlock").exitCode == 0)
    #expect(try tool.run("list").exitCode == 0)
    #expect(Self.asked(tool)?.count { $0 == "|" } == 1)
    #expect(try tool.run("slot", "list").exitCode == 0)
    #expect(Self.asked(tool)?.count { $0 == "|" } == 2)
  }

  @Test(
    "another exit code than 0 is cancelled, whatever it wrote",
    arguments: ["exit 1", "kill $$"]
  )
  func cancelled(end: String) throws {
    let tool = try Self.tool()
    let script = "#!/bin/sh\ncat '\(tool.home.path("pw"))'\n\(end)\n"
    try tool.home.write(script, to: "ask me; touch shell", mode: 0o700)
    let outcome = try tool.run("list")
    #expect(outcome.exitCode == 18)
    #expect(outcome.isOneErrorLine)
  }

  @Test("an empty answer is 2, and an endless one 17 and no wait")
  func oddAnswers() throws {
    let tool = try Self.tool()
    try tool.home.write("#!/bin/sh\necho\n", to: "ask me; touch shell", mode: 0o700)
    #expect(try tool.run("list").exitCode == 2)
    try tool.home.write("#!/bin/sh\nexec yes\n", to: "ask me; touch shell", mode: 0o700)
    #expect(try tool.run("list").exitCode == 17)
  }

  @Test(
    "without SSH_ASKPASS it is 2 and names the variable; without SECRETVAULT_ASKPASS=1 it is not run"
  )
  func unset() throws {
    var tool = try Self.tool()
    let program = tool.environment["SSH_ASKPASS"]
    tool.environment["SSH_ASKPASS"] = nil
    let outcome = try tool.run("list")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("SSH_ASKPASS"))
    tool.environment["SSH_ASKPASS"] = program
    for value in [nil, "0", ""] {
      tool.environment["SECRETVAULT_ASKPASS"] = value
      #expect(try tool.run("list").exitCode == 7)
    }
    #expect(Self.asked(tool) == nil)
  }

  @Test("a program that is missing is a failure that says so")
  func missing() throws {
    var tool = try Self.tool()
    tool.environment["SSH_ASKPASS"] = tool.home.path("none")
    let outcome = try tool.run("list")
    #expect(outcome.exitCode == 1)
    #expect(outcome.errorText.contains("SSH_ASKPASS"))
  }
}
