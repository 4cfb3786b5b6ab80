import TestSupport
import Testing

/// What cannot be run, and its exit code.
@Suite("run: refusals")
struct RunRefusalTests {
  @Test("what is missing or wrong starts nothing, and is 125 with the name of the failure")
  func nothingStarted() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    try tool.store([1, 0, 2], "zero")
    let marker = tool.home.path("marker")
    let program = ["--", "touch", marker]
    let wrongLines = [
      ["--env", "A=secret://missing"], ["--env", "A=secret://s", "--env", "B=secret://s/missing"],
      ["--env", "A=secret://zero"], ["--env", "A=plain"], ["--env", "1=secret://s"],
      ["--env", "=secret://s"],
      ["--env", "A-B=secret://s"], ["--env", "A;b=secret://s"], ["--env", "A"], ["--env", ""],
      ["--env", "A=secret://s", "--env", "A=secret://s"], ["--unknown"], ["--newline"],
      ["--env-file", "/nowhere/x"], ["--env", "A=secret://s", "--vault", "/nowhere/x"],
      ["--env", "A=secret://s", "--key-file", marker], ["word"],
      ["--json", "--env", "A=secret://missing"],
    ]
    for words in wrongLines {
      let outcome = try tool.start(["run"] + words + program).finish()
      #expect(outcome.exitCode == 125, "\(words)")
      #expect(outcome.output.isEmpty)
      #expect(words.contains("--json") || outcome.isOneErrorLine, "\(words)")
      #expect(!tool.home.has("marker"))
    }
    let locked = try tool.withoutCredential.start(["run", "--env", "A=secret://s"] + program)
      .finish()
    #expect(locked.exitCode == 125)
    for words in [
      ["run"], ["run", "--"], ["run", "touch", marker], ["run", "touch", "--", marker],
    ] {
      #expect(try tool.start(words).finish().exitCode == 125, "\(words)")
    }
    let document = try tool.run("run", "--json", "--env", "A=secret://no", "--", "true").errorJSON()
    let error = try #require(document["error"] as? [String: Any])
    #expect(error["code"] as? Int == 125)
    #expect(error["name"] as? String == "itemNotFound")
    #expect(!tool.home.has("marker"))
  }

  @Test("a command that is not found is 127, one that cannot be executed 126")
  func unusableCommands() throws {
    let tool = try Tool.withVault()
    let text = try tool.home.write("text", to: "text", mode: 0o600)
    let cases = [
      ("no-such-command-4711", 127), ("/nowhere/x", 127), ("", 127), (text, 126),
      (tool.home.path, 126), (text + "/x", 126),
    ]
    for (command, code) in cases {
      let outcome = try tool.run("run", "--", command)
      #expect(outcome.exitCode == Int32(code), "\(command)")
      #expect(outcome.isOneErrorLine)
    }
    let script = try tool.home.write("#!/bin/sh\necho \"$A\"\n", to: "script", mode: 0o700)
    try tool.store("tok", "s")
    #expect(try tool.run("run", "--env", "A=secret://s", "--", script).text == "tok\n")
  }
}
