import TestSupport
import Testing

/// Files that are not what they should be, and command lines that are not.
@Suite("import: refusals")
struct ImportRefusalTests {
  @Test(
    "a malformed file changes nothing, and the line is named, not what is in it",
    arguments: ImportSample.allCases
  )
  func malformed(sample: ImportSample) throws {
    let tool = try Tool.withVault()
    for (text, line) in sample.malformed {
      let words = ["import", "-", "--format", sample.rawValue] + sample.service
      let outcome = try tool.start(words, input: .text(text)).finish()
      #expect(outcome.exitCode == 2)
      #expect(outcome.isOneErrorLine)
      #expect(outcome.errorText.contains("standard input, line \(line): "), "\(outcome.errorText)")
      #expect(!outcome.errorText.contains("hunter"))
      #expect(outcome.output == [])
    }
    #expect(try tool.run("list").text == "")
  }

  @Test(
    "a keychain dump that ends before its data replaces nothing",
    arguments: ["data:", "data:\n"]
  )
  func cutDump(end: String) throws {
    let tool = try Tool.withVault()
    try tool.store("good", "kr", "u")
    let text = """
      keychain: "x"
      class: "genp"
      attributes:
          "acct"<blob>="u"
          "svce"<blob>="kr"
      \(end)
      """
    let words = ["import", "-", "--format", "keychain", "--replace"]
    #expect(try tool.start(words, input: .text(text)).finish().exitCode == 2)
    #expect(try tool.secretText("kr", "u") == "good")
  }

  @Test("bytes that are no UTF-8 are refused in JSON and XML")
  func invalidUTF8() throws {
    let tool = try Tool.withVault()
    for text in ["{\"version\":1,\n\"items\":[\"", "<KeePassFile>\n"] {
      let outcome = try tool.run("import", "-", input: .bytes(Array(text.utf8) + [0xFF]))
      #expect(outcome.exitCode == 2)
      #expect(outcome.errorText.contains("line 2: "))
    }
  }

  @Test("a nesting without end is refused, not followed", arguments: ["[", "{\"a\":", "<a>"])
  func depth(opening: String) throws {
    let tool = try Tool.withVault()
    let text = (opening == "[" ? "{\"a\":" : "") + String(repeating: opening, count: 100_000)
    let outcome = try tool.run("import", "-", input: .text(text))
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("too many"))
  }

  @Test("attachments without number are refused, as each would repeat the names of its login")
  func manyAttachments() throws {
    let tool = try Tool.withVault()
    let entry = "<Entry>" + String(repeating: "<Binary/>", count: 1001) + "</Entry>"
    let text = "<KeePassFile><Root>\(entry)</Root></KeePassFile>"
    let outcome = try tool.run("import", "-", input: .text(text))
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("more than 1000 fields"))
  }

  @Test(
    "content that is not certain is refused, and the formats are listed",
    arguments: [
      "", "\n", "hello world\n", "{}", "{\"a\":1}", "<html></html>", "a,b,c\n1,2,3\n", "\0\0",
    ]
  )
  func uncertain(text: String) throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("import", "-", input: .text(text))
    #expect(outcome.exitCode == 2)
    for sample in ImportSample.allCases { #expect(outcome.errorText.contains(sample.rawValue)) }
  }

  @Test("what the command line gets wrong is 2")
  func usage() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("import").exitCode == 2)
    let unknown = try tool.run("import", "-", "--format", "csv")
    #expect(unknown.exitCode == 2)
    #expect(unknown.errorText.contains("keepassxc-csv"))
    #expect(try tool.run("import", "-", "--format", "json", "--service", "s").exitCode == 2)
    #expect(try tool.run("import", "-", input: .closed).exitCode == 2)
    #expect(try tool.run("import", "-", "--passphrase-fd", "0").exitCode == 2)
  }

  @Test("a file that cannot be read is told by its name, and one that is too long is 17")
  func unreadable() throws {
    let tool = try Tool.withVault()
    let missing = try tool.run("import", tool.home.path("missing"))
    #expect(missing.exitCode == 1)
    #expect(missing.errorText.contains("missing"))
    #expect(try tool.run("import", tool.home.path).exitCode != 0)
    let long = [UInt8](repeating: 0x20, count: 64 << 20)
    let file = try tool.home.write(long + [0x20], to: "long")
    #expect(try tool.run("import", file).exitCode == 17)
  }

  @Test("a missing vault is 9, whatever the file is")
  func missingVault() throws {
    #expect(try Tool().run("import", "-", input: .text("{")).exitCode == 9)
  }

  @Test("import needs a credential of its own, an unlocked agent is not asked")
  func credential() throws {
    let tool = try Tool.withVault()
    let input = ChildProcess.Stream.bytes(ImportSample.keePassCSV.bytes)
    #expect(try tool.withoutCredential.run("import", "-", input: input).exitCode == 7)
    #expect(try tool.run("unlock").exitCode == 0)
    #expect(try tool.withoutCredential.run("list").exitCode == 0)
    #expect(try tool.withoutCredential.run("import", "-", input: input).exitCode == 7)
    #expect(try tool.run("list").text == "")
  }
}
