import Foundation
import TestSupport
import Testing

/// Faults that users of other secret stores reported, by their numbers in the collection of cases.
@Suite("cases")
struct CaseTests {
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

  @Test("case 19: a passphrase on standard input and nothing after it is an error, no empty secret")
  func passphraseOnInput() throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("add", "a", "--passphrase-fd=0", input: .text("passphrase\n"))
    #expect(outcome.exitCode == 2)
    #expect(try tool.secret("a") == nil)
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

  @Test("case 35: a missing item, a missing credential and a missing vault differ in code and text")
  func threeCodes() throws {
    let tool = try Tool.withVault()
    let item = try tool.run("get", "a")
    let credential = try tool.withoutCredential.run("get", "a")
    let vault = try tool.run("get", "a", "--vault", tool.home.path("nothing"))
    #expect([item, credential, vault].map(\.exitCode) == [3, 7, 9])
    #expect(Set([item, credential, vault].map(\.errorText)).count == 3)
  }

  @Test("case 37, 38, 68: without a credential nothing is called missing, and nothing is written")
  func withoutCredential() throws {
    let tool = try Tool.withVault()
    try tool.store("x", "a")
    let before = try tool.run("list", "--json").text
    for words in [
      ["list"], ["get", "a"], ["show", "a"], ["set", "a"], ["edit", "a", "--label=L"],
      ["rename", "a", "--to", "b"], ["delete", "a"], ["delete", "a", "--ignore-missing"],
    ] {
      let outcome = try tool.withoutCredential.start(words, input: .text("y")).finish()
      #expect(outcome.exitCode == 7, "\(words)")
    }
    #expect(try tool.run("list", "--json").text == before)
  }

  @Test("case 40: --quiet hides chatter, never the error")
  func quiet() throws {
    let tool = try Tool.withVault()
    let wrong = try Tool.withVault().home.contents(of: "key")
    let path = try tool.home.write(try #require(wrong), to: "other")
    let outcome = try tool.run("list", "--quiet", "--key-file", path)
    #expect(outcome.exitCode == 8)
    #expect(outcome.isOneErrorLine)
    #expect(try tool.run("check").errors.isEmpty == false)
    #expect(try tool.run("check", "--quiet").errors.isEmpty)
  }

  @Test("case 44: a mistyped verb next to a name creates nothing")
  func mistypedVerb() throws {
    let tool = try Tool()
    #expect(try tool.run("sett", "name", input: .text("x")).exitCode == 2)
    #expect(try tool.home.names() == [])
  }

  @Test("case 49: twelve writers at once lose nothing")
  func parallelWriters() throws {
    let tool = try Tool.withVault()
    try tool.store("first", "first")
    let writers = try (0..<12).map {
      try tool.start(["set", "item\($0)"], input: .text("value\($0)"))
    }
    for writer in writers { #expect(try writer.finish().exitCode == 0) }
    #expect(try tool.run("list").text.split(separator: "\n").count == 13)
    for index in 0..<12 { #expect(try tool.secretText("item\(index)") == "value\(index)") }
    #expect(try tool.run("check").exitCode == 0)
  }

  @Test("case 52, 77: of twenty processes that make a vault at once one does, and its key opens it")
  func parallelCreators() throws {
    let tool = try Tool()
    let creators = try (0..<20).map { index in
      try tool.start(["init", "--generate-key-file", tool.home.path("key\(index)")])
    }
    let codes = try creators.map { try $0.finish().exitCode }
    #expect(codes.count { $0 == 0 } == 1)
    #expect(codes.count { $0 == 5 } == 19)
    let winner = try #require(codes.firstIndex(of: 0))
    #expect(try tool.run("check", "--key-file", tool.home.path("key\(winner)")).exitCode == 0)
    #expect(try tool.home.names().filter { $0.hasPrefix("key") } == ["key\(winner)"])
  }

  @Test("case 56: storing again with another accessibility updates the item in place")
  func accessibility() throws {
    let tool = try Tool.withVault()
    for name in ["whenUnlocked", "afterFirstUnlock", "whenUnlockedThisDeviceOnly"] {
      let stored = try tool.run("set", "a", "--accessibility", name, input: .text(name))
      #expect(stored.exitCode == 0)
      #expect(try tool.run("show", "a").text.contains("accessibility: \(name)\n"))
      #expect(try tool.secretText("a") == name)
    }
    #expect(try tool.run("list").text.split(separator: "\n").count == 1)
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

  @Test("case 109: changing the passphrase with a wrong old one is refused")
  func wrongOldPassphrase() throws {
    let tool = try Tool()
    let old = try tool.home.write("the old passphrase", to: "old")
    let new = try tool.home.write("the new passphrase", to: "new")
    #expect(try tool.run("init", "--passphrase-file", old).exitCode == 0)
    let refused = try tool.run("passphrase", "--passphrase-file", new, "--new-passphrase-file", new)
    #expect(refused.exitCode == 8)
    #expect(try tool.run("list", "--passphrase-file", old).exitCode == 0)
  }

  @Test("case 121: --no-clobber behaves the same with and without a terminal")
  func noClobber() throws {
    let tool = try Tool.withVault()
    try tool.store("old", "a")
    #expect(try tool.run("set", "a", "--no-clobber", input: .text("new")).exitCode == 5)
    let terminal = try PseudoTerminal()
    let typed = try tool.start(["set", "a", "--no-clobber"], at: terminal)
    for question in ["Secret: ", "again: "] {
      try terminal.expect(question)
      try terminal.type("new\r")
    }
    #expect(try typed.finish().exitCode == 5)
    #expect(try tool.secretText("a") == "old")
  }

  @Test("case 122: an option that is given twice is a usage error")
  func repeatedOption() throws {
    let tool = try Tool.withVault()
    for words in [["--label=a", "--label=b"], ["--group", "default", "--group", "default"]] {
      #expect(try tool.start(["set", "a"] + words, input: .text("x")).finish().exitCode == 2)
    }
    #expect(try tool.run("list").output.isEmpty)
  }
}
