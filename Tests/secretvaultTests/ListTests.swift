import TestSupport
import Testing

@Suite("list and search")
struct ListTests {
  @Test("identities come one a line, separated by tabs, in a stable order")
  func lines() throws {
    let tool = try Tool.withVault()
    try tool.store("1", "b", "x")
    try tool.store("2", "a", "y")
    try tool.store("3", "b", "")
    #expect(try tool.run("list").text == "default\ta\ty\ndefault\tb\t\ndefault\tb\tx\n")
    #expect(try tool.run("list", "--service", "b").text == "default\tb\t\ndefault\tb\tx\n")
    #expect(try tool.run("list", "--group", "default").text.count { $0 == "\n" } == 3)
    #expect(try tool.run("list", "--accessibility", "afterFirstUnlock").output.isEmpty)
  }

  @Test("an empty vault and a search without a match are no failure and no output")
  func empty() throws {
    let tool = try Tool.withVault()
    for words in [["list"], ["search", "x"], ["list", "--service", "nothing"]] {
      let outcome = try tool.start(words).finish()
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.isEmpty)
    }
  }

  @Test("names are printed escaped, and --null changes the end of entries only")
  func escaping() throws {
    let tool = try Tool.withVault()
    try tool.store("1", "tab\tnew\nline\rback\\slash", "\u{1B}[31m\u{9B}é")
    let line = #"default\#ttab\tnew\nline\rback\\slash\#t\x1B[31m\xC2\x9B\xC3\xA9"#
    #expect(try tool.run("list").text == line + "\n")
    #expect(try tool.run("list", "--null").text == line + "\0")
    #expect(try tool.run("search", "NEW", "--null").text == line + "\0")
  }

  @Test("--json holds every attribute and never a secret")
  func json() throws {
    let tool = try Tool.withVault()
    let stored = try tool.run(
      "set",
      "svc\u{1}\"",
      "é",
      "--label",
      "L",
      "--accessibility",
      "afterFirstUnlock",
      input: .text("TOPSECRET")
    )
    #expect(stored.exitCode == 0)
    let outcome = try tool.run("list", "--json")
    #expect(!outcome.text.contains("TOPSECRET"))
    let document = try outcome.json()
    #expect(document["version"] as? Int == 1)
    #expect(document["locked"] as? Int == 0)
    let items = try #require(document["items"] as? [[String: Any]])
    let item = try #require(items.first)
    #expect(
      Set(item.keys) == [
        "group", "kind", "service", "account", "synchronizable", "accessibility", "label",
        "comment", "created", "modified", "version", "expires", "versionsKept", "historyCount",
        "revalidate",
      ]
    )
    #expect(item["service"] as? String == "svc\u{1}\"")
    #expect(item["account"] as? String == "é")
    #expect(item["label"] as? String == "L")
    #expect(item["kind"] as? String == "genericPassword")
    #expect(item["accessibility"] as? String == "afterFirstUnlock")
    #expect(item["synchronizable"] as? Bool == false)
    let created = try #require(item["created"] as? String)
    #expect(created.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
  }

  @Test("search looks in service, account, label and comment, whatever the capitals")
  func search() throws {
    let tool = try Tool.withVault()
    try tool.store("needle in the secret", "none")
    try tool.store("1", "the-NEEDLE", "a")
    try tool.store("1", "b", "Needles")
    for (service, option) in [("c", "--label"), ("d", "--comment")] {
      let stored = try tool.run("set", service, option, "a nEEdle", input: .text("1"))
      #expect(stored.exitCode == 0)
    }
    let found = try tool.run("search", "needle").text
    #expect(
      found == "default\tb\tNeedles\ndefault\tc\t\ndefault\td\t\ndefault\tthe-NEEDLE\ta\n"
    )
    let document = try tool.run("search", "needle", "--json").json()
    #expect((document["items"] as? [Any])?.count == 4)
  }
}
