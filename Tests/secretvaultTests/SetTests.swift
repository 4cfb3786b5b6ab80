import TestSupport
import Testing

@Suite("set and add")
struct SetTests {
  @Test(
    "bytes are bytes: every one comes back",
    arguments: [
      [], [0x0A], [0x00], [0xFF, 0x00, 0x0A, 0x0D], Array("1\n2\n3\n".utf8), Array(0...255),
    ] as [[UInt8]]
  )
  func bytes(secret: [UInt8]) throws {
    let tool = try Tool.withVault()
    try tool.store(secret, "a")
    #expect(try tool.secret("a") == secret)
  }

  @Test("--strip-newline drops one newline at the end and nothing else")
  func stripNewline() throws {
    let tool = try Tool.withVault()
    for (input, kept) in [("x\n\n", "x\n"), ("x", "x"), ("\n", ""), ("x\r\n", "x\r")] {
      #expect(try tool.run("set", "a", "--strip-newline", input: .text(input)).exitCode == 0)
      #expect(try tool.secretText("a") == kept)
    }
  }

  @Test("the secret comes from the first source that is given")
  func sources() throws {
    let tool = try Tool.withVault()
    let file = try tool.home.write("from file", to: "secret", mode: 0o644)
    let fromFile = try tool.run("set", "a", "--file", file, "--fd", "5", input: .text("stdin")) {
      $0.descriptors[5] = Array("from fd".utf8)
    }
    #expect(fromFile.exitCode == 0)
    #expect(try tool.secretText("a") == "from file")

    let fromDescriptor = try tool.run("set", "a", "--fd=5", input: .text("stdin")) {
      $0.descriptors[5] = Array("from fd".utf8)
    }
    #expect(fromDescriptor.exitCode == 0)
    #expect(try tool.secretText("a") == "from fd")

    #expect(try tool.run("set", "a", "--generate", "--file", file).exitCode == 0)
    let generated = try #require(try tool.secretText("a"))
    #expect(generated.count == 24)
    #expect(generated.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
    #expect(try tool.run("set", "a", "--generate=100").exitCode == 0)
    #expect(try tool.secretText("a")?.count == 100)
  }

  @Test("closed standard input is an error, not an empty secret")
  func closedInput() throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("set", "a", input: .closed)
    #expect(outcome.exitCode == 2)
    #expect(outcome.isOneErrorLine)
    #expect(try tool.secret("a") == nil)
  }

  @Test("a descriptor that is not open is a usage error, before anything is opened")
  func closedDescriptor() throws {
    let tool = try Tool.withVault()
    for number in ["3", "4", "77", "-1", "x", "99999999999"] {
      #expect(try tool.run("set", "a", "--fd=\(number)").exitCode == 2, "\(number)")
    }
    #expect(try tool.run("check").exitCode == 0)
  }

  @Test("add refuses an existing item with 5 and keeps it")
  func addExisting() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("add", "a", input: .text("one")).exitCode == 0)
    let again = try tool.run("add", "a", input: .text("two"))
    #expect(again.exitCode == 5)
    #expect(again.isOneErrorLine)
    #expect(try tool.secretText("a") == "one")
  }

  @Test("--no-clobber on an existing item is 5, and --if-version another version is 20")
  func conditions() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("set", "a", "--no-clobber", input: .text("one")).exitCode == 0)
    #expect(try tool.run("set", "a", "--no-clobber", input: .text("two")).exitCode == 5)
    let shown = try tool.run("show", "a", "--json").json()
    let item = try #require(shown["item"] as? [String: Any])
    let version = try #require(item["version"] as? Int)
    let other = try tool.run("set", "a", "--if-version", "\(version + 1)", input: .text("three"))
    #expect(other.exitCode == 20)
    #expect(try tool.secretText("a") == "one")
    let same = try tool.run("set", "a", "--if-version", "\(version)", input: .text("four"))
    #expect(same.exitCode == 0)
    #expect(try tool.secretText("a") == "four")
  }

  @Test("attributes are stored, and kept by a set without them")
  func attributes() throws {
    let tool = try Tool.withVault()
    let first = try tool.run(
      "set",
      "a",
      "--label",
      "My label",
      "--comment=c1",
      "--accessibility",
      "afterFirstUnlock",
      input: .text("x")
    )
    #expect(first.exitCode == 0)
    try tool.store("y", "a")
    let kept = try tool.run("show", "a").text
    #expect(kept.contains("label: My label\n"))
    #expect(kept.contains("comment: c1\n"))
    #expect(kept.contains("accessibility: afterFirstUnlock\n"))
  }

  @Test("an unknown accessibility class is 2 and names the classes")
  func unknownClass() throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("set", "a", "--accessibility", "always", input: .text("x"))
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("whenPasscodeSetThisDeviceOnly"))
  }

  @Test("accounts, and the synchronizable item of a name, are items of their own")
  func identities() throws {
    let tool = try Tool.withVault()
    try tool.store("none", "s")
    try tool.store("a", "s", "a")
    let stored = try tool.run("set", "s", "a", "--synchronizable", input: .text("sync"))
    #expect(stored.exitCode == 0)
    #expect(try tool.secretText("s") == "none")
    #expect(try tool.secretText("s", "a") == "a")
    #expect(try tool.run("get", "s", "a", "--synchronizable").text == "sync")
    #expect(try tool.run("list").text == "default\ts\t\ndefault\ts\ta\ndefault\ts\ta\n")
  }
}
