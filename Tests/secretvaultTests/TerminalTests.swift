import Foundation
import TestSupport
import Testing

@Suite("at the terminal")
struct TerminalTests {
  static let passphrase = "typed passphrase"

  /// A vault that was made by typing at a terminal, and the recovery code that was shown.
  static func typedVault() throws -> (tool: Tool, code: String) {
    let tool = try Tool()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["init"], at: terminal)
    try terminal.expect("New passphrase: ")
    try terminal.type(passphrase + "\r")
    try terminal.expect("again: ")
    try terminal.type(passphrase + "\r")
    let outcome = try process.finish()
    let shown = terminal.rest()
    if outcome.exitCode != 0 { throw SetupFailure(description: shown) }
    let code = try #require(shown.firstMatch(of: /[0-9A-Z]{5}(-[0-9A-Z]{5}){7}/))
    return (tool, String(code.output.0))
  }

  @Test("init asks twice and shows the recovery code once; the main job works by typing")
  func mainJob() throws {
    let (tool, code) = try Self.typedVault()
    let terminal = try PseudoTerminal()

    let setting = try tool.start(["set", "api.example.com", "alice"], at: terminal)
    try terminal.expect("Passphrase for ")
    try terminal.type(Self.passphrase + "\r")
    try terminal.expect("Secret: ")
    #expect(!terminal.echoes)
    try terminal.type("tok\r")
    try terminal.expect("again: ")
    try terminal.type("tok\r")
    #expect(try setting.finish().exitCode == 0)
    #expect(terminal.echoes)
    #expect(!terminal.rest().contains("tok"))

    let getting = try tool.start(["get", "api.example.com", "alice"], at: terminal)
    try terminal.expect("Passphrase for ")
    try terminal.type(Self.passphrase + "\r")
    #expect(try getting.finish().exitCode == 0)
    #expect(terminal.rest().hasSuffix("tok\r\n"))

    let recovered = try tool.run("get", "api.example.com", "alice", "--recovery-code-fd", "5") {
      $0.descriptors[5] = Array(code.utf8)
    }
    #expect(recovered.text == "tok")
  }

  @Test("a wrong typed passphrase is 8")
  func wrongPassphrase() throws {
    let (tool, _) = try Self.typedVault()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["list"], at: terminal)
    try terminal.expect("Passphrase for ")
    try terminal.type("something else\r")
    #expect(try process.finish().exitCode == 8)
    #expect(terminal.echoes)
  }

  @Test("the passphrase is asked on the terminal while pipes carry the secret, in and out")
  func pipes() throws {
    let (tool, _) = try Self.typedVault()
    let terminal = try PseudoTerminal()
    let setting = try tool.start(["set", "a"], input: .text("piped\n")) { $0.terminal = terminal }
    try terminal.expect("Passphrase for ")
    try terminal.type(Self.passphrase + "\r")
    #expect(try setting.finish().exitCode == 0)

    let getting = try tool.start(["get", "a"]) { $0.terminal = terminal }
    try terminal.expect("Passphrase for ")
    try terminal.type(Self.passphrase + "\r")
    let outcome = try getting.finish()
    #expect(outcome.text == "piped\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test(
    "a key that cancels is 18, restores the echo and changes nothing",
    arguments: [
      "\u{3}", "\u{4}", "\u{1C}", "half\u{3}",
    ]
  )
  func cancelled(keys: String) throws {
    let tool = try Tool()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["init"], at: terminal)
    try terminal.expect("New passphrase: ")
    #expect(!terminal.echoes)
    try terminal.type(keys)
    #expect(try process.finish().exitCode == 18)
    #expect(terminal.echoes)
    #expect(terminal.rest().contains("secretvault: cancelled; "))
    #expect(!tool.home.has(Tool.vaultPath))
  }

  @Test("answers that differ are 2, so a second pasted line is not lost in silence")
  func differentAnswers() throws {
    let tool = try Tool.withVault()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["set", "a"], at: terminal)
    try terminal.expect("Secret: ")
    try terminal.type("line one\rline two\r")
    #expect(try process.finish().exitCode == 2)
    #expect(try tool.secret("a") == nil)
  }

  @Test("keys that edit work: one character, a whole line, letters of several bytes")
  func editing() throws {
    let tool = try Tool.withVault()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["set", "a"], at: terminal)
    try terminal.expect("Secret: ")
    try terminal.type("wrong\u{15}töö\u{7F}\u{7F}okk\u{8}\r")
    try terminal.expect("again: ")
    try terminal.type("tok\n")
    #expect(try process.finish().exitCode == 0)
    #expect(try tool.secretText("a") == "tok")
  }

  @Test("a control character that edits nothing is refused, not dropped from what was pasted")
  func controlCharacter() throws {
    let tool = try Tool.withVault()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["set", "a"], at: terminal)
    try terminal.expect("Secret: ")
    try terminal.type("a\u{1B}b\ta\u{1B}b\r")
    #expect(try process.finish().exitCode == 2)
    #expect(try tool.secret("a") == nil)
  }

  @Test("a line longer than the kernel's own buffer is taken whole")
  func longLine() throws {
    let tool = try Tool.withVault()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["set", "a"], at: terminal)
    let secret = String(repeating: "0123456789", count: 1000)
    for question in ["Secret: ", "again: "] {
      try terminal.expect(question)
      for start in stride(from: 0, to: secret.count, by: 1000) {
        try terminal.type(String(secret.dropFirst(start).prefix(1000)))
      }
      try terminal.type("\r")
    }
    #expect(try process.finish().exitCode == 0)
    #expect(try tool.secretText("a") == secret)
  }
}
