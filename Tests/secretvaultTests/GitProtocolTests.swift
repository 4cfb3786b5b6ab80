import Foundation
import TestSupport
import Testing

/// The lines between git and the helper, and the names under which it is called.
@Suite("helper git, its protocol")
struct GitProtocolTests {
  private static let address = "protocol=https\nhost=h\n"

  private func helper(
    _ tool: Tool,
    _ verb: String,
    _ input: String
  ) throws -> ChildProcess.Outcome {
    try tool.run("helper", "git", verb, input: .text(input))
  }

  /// Stores a credential with further lines, and returns what get answers then.
  private func answer(_ tool: Tool, after lines: String) throws -> String {
    let stored = try helper(tool, "store", Self.address + "username=u\n" + lines)
    #expect(stored.exitCode == 0, "\(stored.errorText)")
    return try helper(tool, "get", Self.address).text
  }

  @Test("nothing known is no output and success; a verb that is not known too, whatever it is")
  func nothingKnown() throws {
    let tool = try Tool.withVault()
    for (verb, input) in [
      ("get", Self.address), ("erase", Self.address), ("get", ""), ("get", "\n"),
    ] {
      let outcome = try helper(tool, verb, input)
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.isEmpty)
    }
    let unknown = try Tool().run("helper", "git", "approve-all", input: .closed)
    #expect(unknown.exitCode == 0)
    #expect(unknown.output.isEmpty && unknown.errors.isEmpty)
  }

  @Test("a request ends at a blank line, without waiting for the end of the input")
  func blankLine() throws {
    let tool = try Tool.withVault()
    let terminal = try PseudoTerminal()
    let process = try tool.start(["helper", "git", "get"], input: .terminal) {
      $0.terminal = terminal
    }
    try terminal.type("protocol=https\rhost=h\r\r")
    #expect(try process.finish().exitCode == 0)
    let text = "username=u\npassword=p\n\nusername=other\nrubbish"
    #expect(try answer(tool, after: text) == "username=u\npassword=p\n")
  }

  @Test("keys that are not known are passed over; a line may end in a return")
  func unknownKeys() throws {
    let tool = try Tool.withVault()
    let lines =
      "capability[]=authtype\r\nwwwauth[]=Basic realm=\"x\"\r\nephemeral=1\nx=\npassword=p\r\n"
    #expect(try answer(tool, after: lines) == "username=u\npassword=p\n")
  }

  @Test(
    "the expiry comes back; a store without one takes it away, and the same again changes nothing"
  )
  func expiry() throws {
    let tool = try Tool.withVault()
    let withExpiry = "password=p\npassword_expiry_utc=4102444800\n"
    let expected = "username=u\npassword=p\npassword_expiry_utc=4102444800\n"
    #expect(try answer(tool, after: withExpiry) == expected)
    let before = try tool.run("show", "git:https://h", "u").text
    #expect(before.contains("expires: 2100-01-01T00:00:00.000Z\n"))
    #expect(try answer(tool, after: withExpiry) == expected)
    #expect(try tool.run("show", "git:https://h", "u").text == before)
    #expect(try answer(tool, after: "password=p\n") == "username=u\npassword=p\n")
    #expect(try answer(tool, after: "password=q\npassword_expiry_utc=1\n") == "")
    #expect(try answer(tool, after: "password=r\n") == "username=u\npassword=r\n")
  }

  @Test("where one account has expired the next one answers")
  func nextAccount() throws {
    let tool = try Tool.withVault()
    let first = "username=a\npassword=pa\npassword_expiry_utc=1\n"
    #expect(try helper(tool, "store", Self.address + first).exitCode == 0)
    #expect(try answer(tool, after: "password=p\n") == "username=u\npassword=p\n")
  }

  @Test("the refresh token is kept under a name of its own, and goes with its password")
  func refreshToken() throws {
    let tool = try Tool.withVault()
    let lines = "password=p\noauth_refresh_token=r\n"
    #expect(try answer(tool, after: lines) == "username=u\npassword=p\noauth_refresh_token=r\n")
    #expect(try tool.secretText("git-refresh:https://h", "u") == "r")
    #expect(try answer(tool, after: "password=q\n") == "username=u\npassword=q\n")
    #expect(try answer(tool, after: lines).contains("oauth_refresh_token=r\n"))
    #expect(try helper(tool, "erase", Self.address + "password=x\n").exitCode == 0)
    #expect(try tool.secretText("git-refresh:https://h", "u") == "r")
    #expect(try helper(tool, "erase", Self.address + "password=p\n").exitCode == 0)
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("an expired credential is erased by its password too, and by no other")
  func eraseExpired() throws {
    let tool = try Tool.withVault()
    let stored = Self.address + "username=u\npassword=p\npassword_expiry_utc=1\n"
    #expect(try helper(tool, "store", stored).exitCode == 0)
    #expect(try helper(tool, "erase", Self.address + "password=x\n").exitCode == 0)
    #expect(try !tool.run("list").output.isEmpty)
    #expect(try helper(tool, "erase", Self.address + "password=p\n").exitCode == 0)
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("case 89: an erase of the old password never takes the new one that is stored meanwhile")
  func eraseMeanwhile() throws {
    let tool = try Tool.withVault()
    let lines = Self.address + "username=u\npassword="
    for round in 0..<20 {
      #expect(try helper(tool, "store", lines + "old\n").exitCode == 0)
      let input = ["store": "new\n", "erase": "old\n"]
      let order = round.isMultiple(of: 2) ? ["store", "erase"] : ["erase", "store"]
      let processes = try order.map { verb in
        try tool.start(["helper", "git", verb], input: .text(lines + (input[verb] ?? "")))
      }
      for process in processes { #expect(try process.finish().exitCode == 0) }
      #expect(try tool.secretText("git:https://h", "u") == "new")
    }
    #expect(try tool.run("list").text == "default\tgit:https://h\tu\n")
  }

  @Test("erase without a user takes the accounts with that password, without a password all")
  func eraseMany() throws {
    let tool = try Tool.withVault()
    for (name, password) in [("a", "1"), ("b", "1"), ("c", "2"), ("d", "3")] {
      let lines = Self.address + "username=\(name)\npassword=\(password)\n"
      #expect(try helper(tool, "store", lines).exitCode == 0)
    }
    try tool.store("1", "git:https://other", "a")
    #expect(try helper(tool, "erase", Self.address + "password=1\n").exitCode == 0)
    #expect(
      try tool.run("list", "--service", "git:https://h").text.split(separator: "\n").count == 2
    )
    #expect(try helper(tool, "erase", Self.address + "username=c\n").exitCode == 0)
    #expect(try tool.secret("git:https://h", "d") != nil)
    #expect(try helper(tool, "erase", Self.address).exitCode == 0)
    #expect(try tool.run("list").text == "default\tgit:https://other\ta\n")
    #expect(try helper(tool, "erase", "protocol=https\n").exitCode == 0)
    #expect(try tool.secret("git:https://other", "a") != nil)
  }

  @Test("what does not fit into a line is not given to git", arguments: ["a\nb", "a\0b", "a\r"])
  func unfit(secret: String) throws {
    let tool = try Tool.withVault()
    try tool.store(secret, "git:https://h", "u")
    let password = try helper(tool, "get", Self.address)
    #expect(password.exitCode == 2)
    #expect(password.output.isEmpty)
    try tool.store("x", "git:https://i", "a\npassword=b")
    let account = try helper(tool, "get", "protocol=https\nhost=i\n")
    #expect(account.exitCode == 2)
    #expect(account.output.isEmpty)
  }

  @Test("called as git-credential-secretvault it needs no further name")
  func calledByName() throws {
    let tool = try Tool.withVault()
    let path = tool.home.path("git-credential-secretvault")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: Tool.executable)
    func call(_ verb: String, _ input: String) throws -> ChildProcess.Outcome {
      var request = ChildProcess.Request(
        executable: path,
        arguments: [Array(verb.utf8)],
        environment: tool.environment
      )
      request.input = .text(input)
      return try ChildProcess(request).finish()
    }
    let stored = try call("store", Self.address + "username=u\npassword=p\n")
    #expect(stored.exitCode == 0)
    #expect(try call("get", Self.address).text == "username=u\npassword=p\n")
  }
}
