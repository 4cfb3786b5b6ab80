import TestSupport
import Testing

@Suite("show, edit, rename and delete")
struct ItemTests {
  @Test("show hides the secret and says how to reveal it")
  func show() throws {
    let tool = try Tool.withVault()
    try tool.store("tok\n", "a", "b")
    let hidden = try tool.run("show", "a", "b")
    #expect(hidden.exitCode == 0)
    #expect(hidden.text.contains("service: a\naccount: b\n"))
    #expect(!hidden.text.contains("tok"))
    #expect(hidden.text.contains("--reveal"))
    #expect(try tool.run("show", "a", "b", "--reveal").text.hasSuffix("secret: tok\\n\n"))
    let document = try tool.run("show", "a", "b", "--json").json()
    let item = try #require(document["item"] as? [String: Any])
    #expect(item["secret"] == nil)
    let revealed = try tool.run("show", "a", "b", "--json", "--reveal").json()
    let whole = try #require(revealed["item"] as? [String: Any])
    #expect(whole["secret"] as? [String: String] == ["encoding": "utf8", "value": "tok\n"])
    #expect(try tool.run("show", "missing").exitCode == 3)
  }

  @Test("edit changes attributes and keeps the secret and the date of creation")
  func edit() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "a")
    let created = try tool.run("show", "a").text.split(separator: "\n").first {
      $0.hasPrefix("created")
    }
    let edited = try tool.run(
      "edit",
      "a",
      "--label",
      "L",
      "--comment",
      "C",
      "--accessibility",
      "afterFirstUnlock"
    )
    #expect(edited.exitCode == 0)
    let shown = try tool.run("show", "a").text
    #expect(shown.contains("label: L\n"))
    #expect(shown.contains("comment: C\n"))
    #expect(shown.contains("accessibility: afterFirstUnlock\n"))
    #expect(shown.split(separator: "\n").first { $0.hasPrefix("created") } == created)
    #expect(try tool.secretText("a") == "tok")
  }

  @Test("edit refuses a missing item, another version, and having nothing to do")
  func editRefused() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "a")
    #expect(try tool.run("edit", "b", "--label", "L").exitCode == 3)
    #expect(try tool.run("edit", "a", "--label", "L", "--if-version", "999").exitCode == 20)
    #expect(try tool.run("edit", "a").exitCode == 2)
    #expect(try !tool.run("show", "a").text.contains("label:"))
  }

  @Test("rename changes what is given, keeps the rest, and refuses a taken name with 5")
  func rename() throws {
    let tool = try Tool.withVault()
    try tool.store("one", "a", "x")
    try tool.store("two", "b", "x")
    #expect(try tool.run("rename", "a", "x", "--to", "b").exitCode == 5)
    #expect(try tool.secretText("a", "x") == "one")
    #expect(try tool.secretText("b", "x") == "two")
    #expect(try tool.run("rename", "a", "x", "--to-account", "y").exitCode == 0)
    #expect(try tool.run("rename", "a", "y", "--to", "b").exitCode == 0)
    #expect(try tool.secretText("b", "y") == "one")
    #expect(try tool.secret("a", "x") == nil)
    #expect(try tool.run("rename", "zzz", "--to", "c").exitCode == 3)
    #expect(try tool.run("rename", "b", "y").exitCode == 2)
  }

  @Test("delete removes one item, exactly named; rm is the same")
  func delete() throws {
    let tool = try Tool.withVault()
    for account in ["", "x", "y"] { try tool.store("tok", "a", account) }
    #expect(try tool.run("delete", "a").exitCode == 0)
    #expect(try tool.run("list").text == "default\ta\tx\ndefault\ta\ty\n")
    let missing = try tool.run("delete", "a")
    #expect(missing.exitCode == 3)
    #expect(missing.isOneErrorLine)
    #expect(try tool.run("delete", "a", "--ignore-missing").exitCode == 0)
    #expect(try tool.run("rm", "a", "x").exitCode == 0)
    #expect(try tool.run("list").text == "default\ta\ty\n")
  }
}
