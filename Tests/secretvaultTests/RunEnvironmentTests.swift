import TestSupport
import Testing

@Suite("the environment of run")
struct RunEnvironmentTests {
  private static let show = ["--", "sh", "-c", "printf '<%s>' \"$A\" \"$B\" \"$C\" \"$D\""]

  @Test("a file gives variables, literally or by reference")
  func file() throws {
    let tool = try Tool.withVault()
    try tool.store("tok\n'$x'", "s", "a")
    let lines = [
      "# a comment", "", "A=secret://s/a", "B= \"quoted\" $HOME # no comment", "C=",
      "D=a=secret://s/a",
      "#D=x",
    ]
    for text in [lines.joined(separator: "\n"), lines.joined(separator: "\n") + "\n"] {
      let file = try tool.home.write(text, to: "variables", mode: 0o644)
      let outcome = try tool.start(["run", "--env-file", file] + Self.show).finish()
      #expect(outcome.text == "<tok\n'$x'>< \"quoted\" $HOME # no comment><><a=secret://s/a>")
    }
  }

  @Test("values in a file are bytes, a return at the end too")
  func bytes() throws {
    let tool = try Tool.withVault()
    let file = try tool.home.write([0x41, 0x3D, 0xFF, 0x09, 0x0D, 0x0A], to: "variables")
    let outcome = try tool.run("run", "--env-file", file, "--", "sh", "-c", "printf %s \"$A\"")
    #expect(outcome.output == [0xFF, 0x09, 0x0D])
  }

  @Test("--env beats the file, and both beat what the caller has")
  func precedence() throws {
    var tool = try Tool.withVault()
    tool.environment["A"] = "caller"
    tool.environment["B"] = "caller"
    tool.environment["C"] = "caller"
    try tool.store("option", "s")
    let file = try tool.home.write("A=file\nB=file\n", to: "variables")
    let outcome = try tool.start(
      ["run", "--env=A=secret://s", "--env-file", file, "--env", "D=secret://s"] + Self.show
    ).finish()
    #expect(outcome.text == "<option><file><caller><option>")
    let listed = try tool.run("run", "--env-file", file, "--", "env").text
    #expect(listed.split(separator: "\n").filter { $0.hasPrefix("A=") } == ["A=file"])
  }

  @Test(
    "a wrong line is named by its number, and nothing of it is told",
    arguments: [
      "no-equals-hush", "hush-name=x", "1hush=x", " HUSH=x", "=hush", "A=secret://hush hush",
      "A=secret://", "A=again-hush", "export HUSH=x", "\thush",
    ]
  )
  func wrongLines(line: String) throws {
    let tool = try Tool.withVault()
    let file = try tool.home.write("# first\nA=x\n\(line)\nB=y\n", to: "variables")
    let outcome = try tool.run("run", "--env-file", file, "--", "touch", tool.home.path("marker"))
    #expect(outcome.exitCode == 125)
    #expect(outcome.isOneErrorLine)
    #expect(outcome.errorText.contains("line 3"))
    #expect(!outcome.errorText.lowercased().contains("hush"))
    #expect(!tool.home.has("marker"))
  }

  @Test("a secret that a line names and that is missing is told by the number of the line")
  func missing() throws {
    let tool = try Tool.withVault()
    let file = try tool.home.write("A=x\n\nB=secret://hush/hush\n", to: "variables")
    let outcome = try tool.run("run", "--env-file", file, "--", "true")
    #expect(outcome.exitCode == 125)
    #expect(outcome.errorText.contains("line 3"))
    #expect(!outcome.errorText.contains("hush"))
  }

  @Test("a zero byte in a value of the file is refused")
  func zero() throws {
    let tool = try Tool.withVault()
    let file = try tool.home.write([0x41, 0x3D, 0x00, 0x0A], to: "variables")
    #expect(try tool.run("run", "--env-file", file, "--", "true").exitCode == 125)
  }

  @Test("the program gets the caller's variables as they are, with --clean-env the basic ones only")
  func clean() throws {
    var tool = try Tool.withVault()
    tool.environment["OTHER"] = "x"
    tool.environment["PATH"] = "/usr/bin:/bin"
    tool.environment["LC_ALL"] = "C"
    tool.environment["TERM"] = "dumb"
    try tool.store("tok", "s")
    let all = try names(tool.run("run", "--env", "A=secret://s", "--", "env"))
    #expect(all == Set(tool.environment.keys).union(["A"]))
    let basic = try names(tool.run("run", "--clean-env", "--env", "A=secret://s", "--", "env"))
    #expect(basic == ["A", "HOME", "LC_ALL", "PATH", "TERM"])
  }

  @Test("a command is found along the PATH that it gets")
  func path() throws {
    let tool = try Tool.withVault()
    try tool.home.write("#!/bin/sh\necho found\n", to: "only-here", mode: 0o700)
    let file = try tool.home.write("PATH=\(tool.home.path):/bin\n", to: "variables")
    #expect(try tool.run("run", "--env-file", file, "--", "only-here").text == "found\n")
    #expect(try tool.run("run", "--", "only-here").exitCode == 127)
  }

  private func names(_ outcome: ChildProcess.Outcome) throws -> Set<String> {
    Set(outcome.text.split(separator: "\n").map { String($0.prefix { $0 != "=" }) })
  }
}
