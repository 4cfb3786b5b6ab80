import TestSupport
import Testing

@Suite("get")
struct GetTests {
  @Test("a pipe gets the stored bytes and nothing else, unless --newline asks for one")
  func newline() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "a")
    #expect(try tool.run("get", "a").text == "tok")
    #expect(try tool.run("get", "a", "--newline").text == "tok\n")
    #expect(try tool.run("get", "a", "--no-newline").text == "tok")
    #expect(try tool.run("get", "a", "--newline", "--no-newline").exitCode == 2)
  }

  @Test("a terminal gets a newline, unless --no-newline asks for none")
  func newlineOnTerminal() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "a")
    for (option, expected) in [("--json", nil), ("--quiet", "tok\r\n"), ("--no-newline", "tok")] {
      let terminal = try PseudoTerminal()
      let process = try tool.start(["get", "a", option], at: terminal)
      #expect(try process.finish().exitCode == 0)
      let shown = terminal.rest()
      if let expected { #expect(shown == expected) }
    }
  }

  @Test(
    "what is no printable text is refused to a terminal unless forced",
    arguments: [
      [0x1B, 0x5B, 0x32, 0x4A], [0xFF], [0x41, 0x00], Array("\u{9B}2J".utf8),
    ] as [[UInt8]]
  )
  func unprintable(secret: [UInt8]) throws {
    let tool = try Tool.withVault()
    try tool.store(secret, "a")
    let terminal = try PseudoTerminal()
    #expect(try tool.start(["get", "a"], at: terminal).finish().exitCode == 2)
    #expect(terminal.rest().contains("--force"))
    let forced = try tool.start(["get", "a", "--force", "--no-newline"], at: terminal)
    #expect(try forced.finish().exitCode == 0)
    #expect(!terminal.rest().isEmpty)
    #expect(try tool.secret("a") == secret)
  }

  @Test("--json gives text as utf8 and other bytes as base64")
  func json() throws {
    let tool = try Tool.withVault()
    for (secret, encoding, value) in [
      (Array("a\"\\\n\t\u{1}é\u{7F}".utf8), "utf8", "a\"\\\n\t\u{1}é\u{7F}"),
      ([], "utf8", ""),
      ([0xFF], "base64", "/w=="),
      ([0xFF, 0xFE], "base64", "//4="),
      ([0xFB, 0xEF, 0xBE, 0x00], "base64", "++++AA=="),
    ] {
      try tool.store(secret, "a")
      let document = try tool.run("get", "a", "--json").json()
      let object = try #require(document["secret"] as? [String: String])
      #expect(document["version"] as? Int == 1)
      #expect(object == ["encoding": encoding, "value": value])
    }
  }

  @Test("a large secret of control characters survives --json")
  func largeJSON() throws {
    let tool = try Tool.withVault()
    let secret = [UInt8](repeating: 0x01, count: 300_000) + Array("é".utf8)
    try tool.store(secret, "a")
    let document = try tool.run("get", "a", "--json").json()
    let object = try #require(document["secret"] as? [String: String])
    #expect(object["value"].map { Array($0.utf8) } == secret)
  }

  @Test("a missing item is 3 with nothing on standard output")
  func missing() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "a", "alice")
    for words in [["b"], ["a"], ["a", "Alice"], ["A", "alice"]] {
      let outcome = try tool.start(["get"] + words).finish()
      #expect(outcome.exitCode == 3)
      #expect(outcome.output.isEmpty)
      #expect(outcome.isOneErrorLine)
    }
  }

  @Test("output that cannot be written is a failure, not a silent success")
  func unwritableOutput() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "a")
    let full = try tool.run("get", "a") { $0.output = .file("/dev/full") }
    #expect(full.exitCode == 14)
    let closed = try tool.run("get", "a") { $0.output = .closed }
    #expect(closed.exitCode == 1)
    #expect(closed.isOneErrorLine)
    #expect(try tool.run("check").exitCode == 0)
  }
}
