import TestSupport
import Testing

/// What import does with rows that meet an item, or each other.
@Suite("import: outcomes")
struct ImportOutcomeTests {
  /// Every item with its secret, and the versions.
  private func contents(_ tool: Tool) throws -> String {
    try tool.run("export", "--format", "json", "--stdout").text
      + tool.run("list", "--json").text
  }

  @Test("an item with the same secret is unchanged, another one is left alone with 5")
  func existing() throws {
    let tool = try Tool.withVault()
    try tool.store("one", "a", "u")
    try tool.store("two", "b", "u")
    let before = try contents(tool)
    let input = ImportSample.table("a,,u,one,", "b,,u,other,", "c,,u,three,")
    let outcome = try tool.run("import", "-", input: input)
    #expect(outcome.exitCode == 5)
    let reason = "the vault has another secret; --replace takes this one"
    #expect(
      outcome.text == """
        unchanged\tdefault\ta\tu
        exists\tdefault\tb\tu\t\(reason)
        added\tdefault\tc\tu

        """
    )
    #expect(try tool.secretText("b", "u") == "two")
    #expect(try tool.secretText("c", "u") == "three")
    #expect(try tool.run("delete", "c", "u").exitCode == 0)
    #expect(try contents(tool) == before)
  }

  @Test("--replace takes the file's secret, keeps what the row leaves out, and is done once")
  func replacing() throws {
    let tool = try Tool.withVault()
    let attributes = ["--accessibility", "afterFirstUnlock", "--comment", "kept"]
    let set = try tool.start(["set", "a", "u"] + attributes, input: .text("one")).finish()
    #expect(set.exitCode == 0)
    let input = ImportSample.table("a,,u,two,")
    let first = try tool.run("import", "-", "--replace", input: input)
    #expect(first.text == "replaced\tdefault\ta\tu\n")
    #expect(first.exitCode == 0)
    #expect(try tool.secretText("a", "u") == "two")
    let shown = try tool.run("show", "a", "u").text
    #expect(shown.contains("accessibility: afterFirstUnlock\n"))
    #expect(shown.contains("comment: kept\n"))
    #expect(shown.contains("label: a\n"))
    let again = try tool.run("import", "-", "--replace", input: input)
    #expect(again.text == "unchanged\tdefault\ta\tu\n")
  }

  @Test("an expired item is no obstacle: it exists, and --replace takes its place")
  func expired() throws {
    let tool = try Tool.withVault()
    let item = #"{"kind":"genericPassword","service":"a","expires":"2020-01-01T00:00:00.000Z","#
    let json = #"{"version":1,"items":["# + item + #""secret":{"encoding":"utf8","value":"x"}}]}"#
    #expect(try tool.run("import", "-", input: .text(json)).exitCode == 0)
    let again = try tool.run("import", "-", input: .text(json))
    #expect(again.text.hasPrefix("exists\tdefault\ta\t\t"))
    #expect(try tool.run("import", "-", "--replace", input: .text(json)).exitCode == 0)
  }

  @Test("a second row of one name is a conflict that names the first, which alone is stored")
  func conflict() throws {
    let tool = try Tool.withVault()
    let input = ImportSample.table(
      "a,,u,one,",
      "b,,u,x,",
      "a,,u,two,",
      "a,,u,one,",
      "a,,u,one,\"a note\""
    )
    let outcome = try tool.run("import", "-", input: input)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.text == """
        added\tdefault\ta\tu
        added\tdefault\tb\tu
        conflict\tdefault\ta\tu\tline 2 has this name too; rename one
        unchanged\tdefault\ta\tu\tthe same as line 2
        conflict\tdefault\ta\tu\tline 2 has this name too; rename one

        """
    )
    #expect(try tool.secretText("a", "u") == "one")
    let replaced = try tool.run("import", "-", "--replace", input: input)
    #expect(replaced.text.split(separator: "\n").count { $0.hasPrefix("conflict") } == 2)
    #expect(try tool.secretText("a", "u") == "one")
  }

  @Test("--dry-run tells the same and changes nothing", arguments: ImportSample.allCases)
  func dryRun(sample: ImportSample) throws {
    let tool = try Tool.withVault()
    try tool.store("other", "git")
    let before = try contents(tool)
    let file = try tool.home.write(sample.bytes, to: "sample")
    let dry = try tool.run("import", file, "--dry-run")
    #expect(try contents(tool) == before)
    let real = try tool.run("import", file, "--group", "default")
    #expect(dry.text == real.text)
    #expect(dry.exitCode == real.exitCode)
    #expect(dry.errorText.contains("nothing was stored"))
    #expect(try contents(tool) != before)
  }

  @Test("--json has every row with its line, names and reason")
  func json() throws {
    let tool = try Tool.withVault()
    let input = ImportSample.table("a,,u,hunter1,", "a,,u,hunter2,")
    let outcome = try tool.run("import", "-", "--json", input: input)
    let document = try outcome.json()
    #expect(document["version"] as? Int == 1)
    #expect(document["dryRun"] as? Bool == false)
    let rows = try #require(document["rows"] as? [[String: Any]])
    #expect(rows.map { $0["action"] as? String } == ["added", "conflict"])
    #expect(rows.map { $0["line"] as? Int } == [2, 3])
    #expect(rows[1]["group"] as? String == "default")
    #expect(rows[1]["service"] as? String == "a")
    #expect(rows[1]["account"] as? String == "u")
    #expect((rows[1]["reason"] as? String)?.contains("line 2") ?? false)
    #expect(!outcome.text.contains("hunter"))
  }
}
