import TestSupport
import Testing

/// What import does with rows that meet an item, or each other.
@Suite("import: outcomes")
struct ImportOutcomeTests {
  private static let header = "Title,URL,Username,Password,Notes\n"

  private func table(_ rows: String...) -> ChildProcess.Stream {
    .text(Self.header + rows.joined(separator: "\n") + "\n")
  }

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
    let input = table("a,,u,one,", "b,,u,other,", "c,,u,three,")
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
    let input = table("a,,u,two,")
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
    let input = table("a,,u,one,", "b,,u,x,", "a,,u,two,", "a,,u,one,", "a,,u,one,\"a note\"")
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
    let dry = try tool.run("import", file, "--dry-run", "--group", "default")
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
    let input = table("a,,u,hunter1,", "a,,u,hunter2,")
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

  @Test("rows that no item can be are refused, and the others are stored")
  func refused() throws {
    let tool = try Tool.withVault()
    let long = String(repeating: "n", count: 70_000)
    let input = table(",,u,x,", "long,,u,x,\(long)", "b,,u,x,")
    let outcome = try tool.run("import", "-", input: input)
    #expect(outcome.exitCode == 1)
    let actions = outcome.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(actions == ["refused", "refused", "added"])
    #expect(try tool.secretText("b", "u") == "x")
  }

  @Test("a row of a class or a group that cannot be is refused and named, in a dry run too")
  func impossibleRows() throws {
    let tool = try Tool.withVault()
    let secret = #""secret":{"encoding":"utf8","value":"x"}}"#
    let bound =
      #"{"kind":"genericPassword","service":"b","synchronizable":true,"#
      + #""accessibility":"whenUnlockedThisDeviceOnly","# + secret
    let foreign = #"{"kind":"genericPassword","service":"c","group":"none","# + secret
    let good = #"{"kind":"genericPassword","service":"a","# + secret
    let json = #"{"version":1,"items":["# + [bound, foreign, good].joined(separator: ",") + "]}"
    for words in [["import", "-", "--dry-run"], ["import", "-"]] {
      let outcome = try tool.start(words, input: .text(json)).finish()
      #expect(outcome.exitCode == 1)
      let actions = outcome.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
      #expect(actions == ["refused", "refused", "added"])
    }
    #expect(try tool.secretText("a") == "x")
  }

  @Test("a return at the end of a variable is kept, and remarked upon")
  func carriageReturn() throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("import", "-", "--service", "s", input: .text("A=1\r\n"))
    #expect(outcome.text.contains("the return at its end is part of the secret"))
    #expect(try tool.secretText("s", "A") == "1\r")
  }

  @Test("a name that is too long is refused once, with the fields that hang on it")
  func longName() throws {
    let tool = try Tool.withVault()
    let name = String(repeating: "n", count: 70_000)
    let text = "Title,Username,Password,OTPAuth\n\(name),u,x,code\nb,\(name),x,code\nc,u,x,code\n"
    let outcome = try tool.run("import", "-", input: .text(text))
    let actions = outcome.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(actions == ["refused", "refused", "added", "added"])
  }

  @Test("a secret beyond 1 MiB is refused alone, one of 1 MiB is stored")
  func longSecret() throws {
    let tool = try Tool.withVault()
    let limit = String(repeating: "x", count: 1 << 20)
    let outcome = try tool.run("import", "-", input: table("a,,u,\(limit),", "b,,u,\(limit)x,"))
    #expect(outcome.text.split(separator: "\n").map { $0.prefix(5) } == ["added", "refus"])
    #expect(try tool.secret("a", "u")?.count == 1 << 20)
  }

  @Test("one item that the vault refuses keeps all of them out")
  func allOrNothing() throws {
    let tool = try Tool.withVault()
    func item(_ service: String, _ accessibility: String) -> String {
      #"{"kind":"genericPassword","service":"\#(service)","accessibility":"\#(accessibility)","#
        + #""secret":{"encoding":"utf8","value":"x"}}"#
    }
    let items = item("a", "whenUnlocked") + "," + item("b", "whenPasscodeSetThisDeviceOnly")
    let outcome = try tool.run("import", "-", input: .text(#"{"version":1,"items":[\#(items)]}"#))
    #expect(outcome.exitCode == 15)
    #expect(outcome.output == [])
    #expect(try tool.run("list").text == "")
  }

  @Test("ten thousand rows are stored in one go, and found unchanged the second time")
  func manyRows() throws {
    let tool = try Tool.withVault()
    let rows = (0..<10_000).map { "Site \($0),https://s\($0).example.com/,user\($0),secret\($0)," }
    let file = try tool.home.write(Self.header + rows.joined(separator: "\n"), to: "big.csv")
    let start = ContinuousClock.now
    let outcome = try tool.run("import", file)
    #expect(outcome.errorText == "secretvault: 10000 added\n")
    #expect(ContinuousClock.now - start < .seconds(40))
    #expect(try tool.run("import", file).errorText == "secretvault: 10000 unchanged\n")
    #expect(try tool.secretText("s9999.example.com/", "user9999") == "secret9999")
  }

  @Test("names are only names: paths, escapes, controls and bytes stay as they are")
  func hostileNames() throws {
    let tool = try Tool.withVault()
    let names = [
      "../../x", "/etc/passwd", "$(touch x)'`", "-rf", "a\u{1B}[31m", "\u{202E}x", "ä", "a\u{308}",
    ]
    let rows = names.map { "\($0),,,x," }.joined(separator: "\n")
    let outcome = try tool.run("import", "-", input: .text(Self.header + rows + "\n"))
    #expect(outcome.exitCode == 0)
    #expect(!outcome.output.contains(0x1B))
    for name in names { #expect(try tool.secretText(name) == "x", "\(name)") }
    #expect(try tool.home.names().sorted() == [".local", "key"])
  }

  @Test("line ends of every kind and a byte order mark are no part of a value")
  func lineEnds() throws {
    let tool = try Tool.withVault()
    let text = "\u{FEFF}Title,Username,Password\r\na,u,one\r\n\r\nb,u,two"
    #expect(try tool.run("import", "-", input: .text(text)).exitCode == 0)
    #expect(try tool.secretText("a", "u") == "one")
    #expect(try tool.secretText("b", "u") == "two")
  }
}
