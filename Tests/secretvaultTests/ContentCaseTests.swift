import TestSupport
import Testing

/// Secrets and names that users of other secret stores lost, by their numbers in the collection of cases.
@Suite("cases of secrets and names")
struct ContentCaseTests {
  @Test(
    "values come back byte for byte",
    arguments: [
      ("case 1: a newline at the end", "hello\n"), ("case 2: several lines", "1\n2\n3\n"),
      ("case 4: a control byte, no newline", "\u{1}cat"),
      ("case 7: a PEM file", "-----BEGIN X-----\nAAAA\n-----END X-----\n"),
      ("case 8: backslashes and u", #"\u0142u\u017c"#), ("case 10: no newline", "v"),
      ("case 46: a hyphen", "-"), ("case 46: an at sign", "@"), ("case 46: a backslash", #"\"#),
      ("case 47: format verbs", "%OH)9<"), ("case 70: structure", "---\nb: 1\na: ' x '\n"),
      ("case 71: a number", "0123"), ("case 101: shell code", "$(touch x)'\""),
    ]
  )
  func values(name: String, secret: String) throws {
    let tool = try Tool.withVault()
    try tool.store(secret, "a")
    #expect(try tool.secretText("a") == secret, "\(name)")
  }

  @Test("case 5, 82: --newline is honoured on a pipe, where none is added otherwise")
  func newline() throws {
    let tool = try Tool.withVault()
    try tool.store("x", "a")
    #expect(try tool.run("get", "a").text == "x")
    #expect(try tool.run("get", "a", "--newline").text == "x\n")
  }

  @Test("case 11, 13: the empty account is readable, and capitals are other accounts")
  func accounts() throws {
    let tool = try Tool.withVault()
    for account in ["", "u", "U"] { try tool.store("<\(account)>", "s", account) }
    for account in ["", "u", "U"] { #expect(try tool.secretText("s", account) == "<\(account)>") }
  }

  @Test("case 14, 17: a secret of 9000 bytes is kept whole")
  func ninethousand() throws {
    let tool = try Tool.withVault()
    for count in [2500, 9000] {
      let secret = (0..<count).map { UInt8($0 % 251) }
      try tool.store(secret, "a")
      #expect(try tool.secret("a") == secret)
    }
  }

  @Test("case 16: the limit is 1 MiB of bytes, at n - 1, n and n + 1, and nothing is kept beyond")
  func limit() throws {
    let tool = try Tool.withVault()
    let limit = 1 << 20
    let characters = String(repeating: "ä😀", count: limit / 6)
    for count in [limit - 1, limit] {
      let filler = String(repeating: "x", count: count - characters.utf8.count)
      let secret = Array((characters + filler).utf8)
      try tool.store(secret, "a")
      #expect(try tool.secret("a") == secret)
    }
    let tooLong = [UInt8](repeating: 0x78, count: limit + 1)
    let outcome = try tool.run("set", "b", input: .bytes(tooLong))
    #expect(outcome.exitCode == 17)
    #expect(outcome.isOneErrorLine)
    #expect(try tool.secret("b") == nil)
    #expect(try tool.run("set", "a", input: .bytes(tooLong)).exitCode == 17)
    #expect(try tool.secret("a")?.count == limit)
  }

  @Test(
    "case 22, 23, 26: odd names are created, listed, read and deleted",
    arguments: [
      "tab\tnew\nline ", " outer ", "/", ".", "..", "a/../b", "../../x", "Grüße/ä", "\u{7F}", "--",
      "💡",
      "%s%n", "a%2Fb", "*",
    ]
  )
  func oddNames(name: String) throws {
    let tool = try Tool.withVault()
    try tool.store("x", name, name)
    #expect(try tool.run("list").text.split(separator: "\n").count == 1)
    let items = try #require(try tool.run("list", "--json").json()["items"] as? [[String: Any]])
    #expect(items.first?["service"] as? String == name)
    #expect(try tool.secretText(name, name) == "x")
    #expect(try tool.run("delete", "--", name, name).exitCode == 0)
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("case 67: names are flat: a name that begins like another clashes with nothing")
  func flatNames() throws {
    let tool = try Tool.withVault()
    try tool.store("1", "a")
    try tool.store("2", "a/b")
    #expect(try tool.run("rename", "a", "--to", "a/b/c").exitCode == 0)
    #expect(try tool.secretText("a/b") == "2")
    #expect(try tool.secretText("a/b/c") == "1")
  }

  @Test("case 91, 92, 95: a part of a name matches nothing, and missing items agree on their code")
  func partialNames() throws {
    let tool = try Tool.withVault()
    try tool.store("1", "s", "a")
    try tool.store("2", "s", "b")
    #expect(try tool.run("delete", "s").exitCode == 3)
    #expect(try tool.run("get", "s").exitCode == 3)
    #expect(try tool.run("delete", "s", "--ignore-missing").exitCode == 0)
    #expect(try tool.run("list", "--service", "nothing").exitCode == 0)
    #expect(try tool.run("list").text.split(separator: "\n").count == 2)
  }

  @Test("case 103: any readable standard input will do: a file, a pipe, the null device")
  func inputs() throws {
    let tool = try Tool.withVault()
    let file = try tool.home.write("from a file", to: "input")
    #expect(try tool.run("set", "a", input: .file(file)).exitCode == 0)
    #expect(try tool.secretText("a") == "from a file")
    #expect(try tool.run("set", "a", input: .file("/dev/null")).exitCode == 0)
    #expect(try tool.secretText("a") == "")
    let folder = try tool.run("set", "b", input: .file(tool.home.path))
    #expect(folder.exitCode != 0)
    #expect(try tool.secret("b") == nil)
  }
}
