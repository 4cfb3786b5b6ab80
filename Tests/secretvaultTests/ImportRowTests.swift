import TestSupport
import Testing

/// Which rows import takes, as they are, and which it refuses.
@Suite("import: rows")
struct ImportRowTests {
  @Test("rows that no item can be are refused, and the others are stored")
  func refused() throws {
    let tool = try Tool.withVault()
    let long = String(repeating: "n", count: 70_000)
    let input = ImportSample.table(",,u,x,", "long,,u,x,\(long)", "b,,u,x,")
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
    let outcome = try tool.run(
      "import",
      "-",
      input: ImportSample.table("a,,u,\(limit),", "b,,u,\(limit)x,")
    )
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
    let file = try tool.home.write(
      ImportSample.tableHeader + rows.joined(separator: "\n"),
      to: "big.csv"
    )
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
    let outcome = try tool.run("import", "-", input: .text(ImportSample.tableHeader + rows + "\n"))
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
