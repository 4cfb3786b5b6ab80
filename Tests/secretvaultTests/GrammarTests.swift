import Foundation
import TestSupport
import Testing

@Suite("grammar")
struct GrammarTests {
  @Test("options stand anywhere, with a space or with =, and -- ends them")
  func positions() throws {
    let tool = try Tool.withVault()
    let vault = tool.home.path(Tool.vaultPath)
    try tool.store("tok", "--label", "-x")
    for words in [
      ["--vault", vault, "get", "--", "--label", "-x"],
      ["get", "--vault=\(vault)", "--", "--label", "-x"],
      ["get", "--newline", "--vault", vault, "--", "--label", "-x"],
    ] {
      let outcome = try tool.start(words).finish()
      #expect(outcome.exitCode == 0)
      #expect(outcome.text.hasPrefix("tok"))
    }
    try tool.store("dash", "-")
    #expect(try tool.run("get", "-").text == "dash")
  }

  @Test(
    "a line that is wrong is 2 with one line that says what to do",
    arguments: [
      [], ["gte", "file"], ["get"], ["get", "a", "b", "c"], ["get", "a", "--unknown"],
      ["get", "a", "-x"], ["get", "a", "--label", "x"], ["get", "a", "--vault"],
      ["get", "a", "--newline=yes"], ["get", "a", "--quiet", "--quiet"],
      ["set", "a", "--label=x", "--label=x"], ["generate", "--words", "0"], ["generate", "x"],
      ["generate", "0"], ["generate", "5", "--words", "5"], ["set", "a", "--generate=0"],
      ["set", "a", "--if-version", "-1"], ["set", "a", "--if-version=18446744073709551616"],
      ["set", "a", "--no-clobber", "--if-version", "1"], ["list", "--vault="], ["list", "a"],
      ["list", "--expiring", "3x"], ["history"], ["help", "gte"], ["list", "--kdf-limit=x"],
      ["", "a"],
    ]
  )
  func wrongLines(words: [String]) throws {
    let tool = try Tool()
    let outcome = try tool.start(words, input: .text("x")).finish()
    #expect(outcome.exitCode == 2)
    #expect(outcome.isOneErrorLine)
    #expect(outcome.output.isEmpty)
    #expect(try tool.home.names() == [])
  }

  @Test("words that are no UTF-8 are 2")
  func invalidUTF8() throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("get") { $0.arguments.append([0xFF, 0x41]) }
    #expect(outcome.exitCode == 2)
    #expect(outcome.isOneErrorLine)
  }

  @Test("a variable that is no UTF-8 is 2, and no other vault is taken instead")
  func invalidVariable() throws {
    let tool = try Tool.withVault()
    let script = "SECRETVAULT_PATH=\"$(printf '/\\377')\" exec \"$0\" list"
    let request = ChildProcess.Request(
      executable: "/bin/sh",
      arguments: ["-c", script, Tool.executable].map { Array($0.utf8) },
      environment: tool.environment
    )
    #expect(try ChildProcess(request).finish().exitCode == 2)
  }

  @Test("what looks like an option where a value belongs is the value")
  func optionAsValue() throws {
    let tool = try Tool.withVault()
    try tool.store("x", "--json")
    #expect(try tool.run("list", "--service", "--json").text == "default\t--json\t\n")
  }

  @Test("with --json an error is a document on standard error, also for a wrong line")
  func jsonErrors() throws {
    let tool = try Tool.withVault()
    for (words, code, name) in [
      (["get", "missing", "--json"], 3, "itemNotFound"), (["--json", "gte"], 2, "usage"),
      (["get", "--json", "--unknown"], 2, "usage"),
      (["list", "--json", "--vault", "/nowhere/x"], 9, "vaultMissing"),
    ] {
      let outcome = try tool.start(words).finish()
      #expect(outcome.exitCode == Int32(code))
      let document = try outcome.errorJSON()
      let error = try #require(document["error"] as? [String: Any])
      #expect(document["version"] as? Int == 1)
      #expect(error["code"] as? Int == code)
      #expect(error["name"] as? String == name)
      #expect((error["message"] as? String)?.contains("; ") == true)
    }
    let name = try tool.run("get", "--", "--json")
    #expect(name.errorText.hasPrefix("secretvault: "))
  }

  @Test("--help, -h and --version work everywhere")
  func everywhere() throws {
    let tool = try Tool()
    let help = try tool.run("help", "get").text
    #expect(!help.isEmpty)
    for words in [["get", "--help"], ["-h", "get"], ["get", "a", "b", "c", "--help"]] {
      let outcome = try tool.start(words).finish()
      #expect(outcome.exitCode == 0)
      #expect(outcome.text == help)
    }
    let version = try tool.run("version").text
    #expect(try tool.run("--version").text == version)
    #expect(try tool.run("get", "--version").text == version)
    #expect(try tool.run("--help").text == tool.run("help").text)
    #expect(try tool.run("slot", "add", "-h").text == tool.run("help", "slot", "add").text)
    #expect(try tool.run("rm", "-h").text == tool.run("help", "delete").text)
  }

  @Test("the vault is found by option, variable, and the folders of the user")
  func locations() throws {
    var tool = try Tool()
    let home = tool.home
    let key = home.path("key")
    tool.environment["XDG_DATA_HOME"] = home.path("data")
    tool.environment["XDG_STATE_HOME"] = home.path("xdg-state")
    #expect(try tool.run("init", "--generate-key-file", key).exitCode == 0)
    #expect(home.has("data/secretvault/default.vault"))
    #expect(home.has("xdg-state/secretvault"))
    tool.environment["SECRETVAULT_KEY_FILE"] = key

    tool.environment["SECRETVAULT_PATH"] = home.path("deep/er/variable.vault")
    tool.environment["STATE_DIRECTORY"] = home.path("service-state") + ":/elsewhere"
    #expect(try tool.run("init").exitCode == 0)
    #expect(home.has("deep/er/variable.vault"))
    #expect(home.has("service-state"))

    tool.environment["SECRETVAULT_STATE"] = home.path("variable-state")
    #expect(try tool.run("init", "--vault", home.path("option.vault")).exitCode == 0)
    #expect(home.has("variable-state"))
    #expect(home.has("option.vault"))
    let made = try tool.run(
      "init",
      "--vault",
      home.path("x.vault"),
      "--state",
      home.path("option-state")
    )
    #expect(made.exitCode == 0)
    #expect(home.has("option-state"))

    tool.environment = ["XDG_DATA_HOME": "relative"]
    tool.environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    let homeless = try tool.run("list")
    #expect(homeless.exitCode == 2)
    #expect(homeless.errorText.contains("HOME"))
  }
}
