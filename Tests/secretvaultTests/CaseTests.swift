import TestSupport
import Testing

/// Faults of commands that users of other secret stores reported, by their numbers in the collection of cases.
@Suite("cases")
struct CaseTests {
  @Test("case 19: a passphrase on standard input and nothing after it is an error, no empty secret")
  func passphraseOnInput() throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("add", "a", "--passphrase-fd=0", input: .text("passphrase\n"))
    #expect(outcome.exitCode == 2)
    #expect(try tool.secret("a") == nil)
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
