import Foundation
import TestSupport
import Testing

/// What is offered for a word that is being typed.
@Suite("completion, the candidates")
struct CompletionTests {
  /// The answer for words, the last of which is at the cursor.
  private func candidates(_ tool: Tool, _ words: String...) throws -> [String] {
    let input = words.map { $0 + "\0" }.joined()
    let outcome = try tool.run("completion", "candidates", "zsh", input: .text(input))
    #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
    return outcome.text.split(separator: "\0").map(String.init)
  }

  private func unlockedTool() throws -> Tool {
    let tool = try Tool.withVault()
    #expect(try tool.run("unlock", "--key-file", tool.home.path("key")).exitCode == 0)
    return tool.withoutCredential
  }

  @Test("commands are those of the help, word by word, and none that is hidden")
  func commands() throws {
    let tool = try Tool()
    let all = try candidates(tool, "")
    #expect(all.first == "words")
    let overview = try tool.run("help").text
    for word in all.dropFirst() {
      #expect(overview.contains("\n  \(word)") || overview.contains(", \(word) "), "\(word)")
    }
    #expect(Set(["get", "rm", "slot", "helper", "completion"]).isSubset(of: all))
    #expect(try candidates(tool, "ge") == ["words", "generate", "get"])
    #expect(try candidates(tool, "slot", "") == ["words", "add", "list", "remove"])
    #expect(try candidates(tool, "helper", "d") == ["words", "docker"])
    #expect(try candidates(tool, "helper", "git", "") == ["words", "get", "store", "erase"])
    #expect(try candidates(tool, "completion", "") == ["words", "bash", "zsh", "fish"])
    #expect(try candidates(tool, "help", "slot", "a") == ["words", "add"])
    #expect(try candidates(tool, "nonsense", "") == ["words"])
  }

  @Test("options are those of the command, wherever they stand, and none after --")
  func options() throws {
    let tool = try Tool()
    #expect(try candidates(tool, "get", "a", "--no") == ["words", "--no-newline"])
    #expect(try candidates(tool, "--vault", "x", "set", "--no-c") == ["words", "--no-clobber"])
    #expect(try candidates(tool, "--q") == ["words", "--quiet"])
    #expect(try candidates(tool, "get", "--", "--n") == ["words"])
    let help = try tool.run("help", "set").text.matches(of: /\n  (--[a-z-]+)/).map { $0.output.1 }
    let offered = try candidates(tool, "set", "-").dropFirst()
    #expect(Set(offered) == Set(help.map(String.init)))
  }

  @Test("values of options are files, classes or nothing, joined or in a word of their own")
  func values() throws {
    let tool = try Tool()
    #expect(try candidates(tool, "get", "--key-file", "") == ["files"])
    #expect(try candidates(tool, "get", "--key-file=/e") == ["files"])
    #expect(try candidates(tool, "run", "--", "l") == ["files"])
    #expect(try candidates(tool, "set", "--label", "") == ["words"])
    let classes = ["afterFirstUnlock", "afterFirstUnlockThisDeviceOnly"]
    #expect(try candidates(tool, "set", "--accessibility", "after") == ["words"] + classes)
    let joined = classes.map { "--accessibility=" + $0 }
    #expect(try candidates(tool, "set", "--accessibility=after") == ["words"] + joined)
    #expect(try candidates(tool, "export", "--format", "k") == ["words", "k8s"])
    let readable = ["keepassxc-csv", "keepassxc-xml", "keychain"].map { "--format=" + $0 }
    #expect(try candidates(tool, "import", "--format=k") == ["words"] + readable)
  }

  @Test("names of items are offered while the agent is unlocked, byte for byte, and sorted")
  func items() throws {
    let tool = try unlockedTool()
    for (service, account) in [("s b", "$(x)"), ("s a", "new\nline"), ("s a", "b"), ("-x", "")] {
      try tool.store("x", service, account)
    }
    #expect(try candidates(tool, "get", "") == ["words", "s a", "s b"])
    #expect(try candidates(tool, "get", "--", "") == ["words", "-x", "s a", "s b"])
    #expect(try candidates(tool, "get", "s a", "") == ["words", "b", "new\nline"])
    #expect(try candidates(tool, "delete", "s b", "") == ["words", "$(x)"])
    #expect(
      try candidates(tool, "list", "--service=s") == ["words", "--service=s a", "--service=s b"]
    )
    #expect(try candidates(tool, "get", "s a", "b", "") == ["words"])
    let other = tool.home.path("other.vault")
    #expect(try candidates(tool, "get", "--vault", other, "") == ["words"])
    #expect(try candidates(tool, "get", "--group", "none", "") == ["words"])
  }

  @Test("while locked, or without an agent, no name is offered and nothing is asked")
  func locked() throws {
    let tool = try Tool.withVault()
    try tool.store("x", "open", "a")
    let stored = try tool.run(
      "set",
      "early",
      "--accessibility",
      "afterFirstUnlock",
      input: .text("x")
    )
    #expect(stored.exitCode == 0)
    // Not even where a key file is at hand.
    #expect(try candidates(tool, "get", "") == ["words"])
    let terminal = try PseudoTerminal()
    let process = try tool.withoutCredential.start(
      ["completion", "candidates", "zsh"],
      input: .text("get\0\0")
    ) { $0.terminal = terminal }
    #expect(try process.finish().text == "words\0")
    #expect(terminal.rest().isEmpty)

    #expect(try tool.run("unlock", "--key-file", tool.home.path("key")).exitCode == 0)
    #expect(try candidates(tool, "get", "") == ["words", "early", "open"])
    #expect(try tool.run("lock").exitCode == 0)
    #expect(try candidates(tool, "get", "") == ["words"])
  }

  @Test("an unknown shell is 2, and the query is in no help")
  func unknownShell() throws {
    let tool = try Tool()
    let outcome = try tool.run("completion", "tcsh")
    #expect(outcome.exitCode == 2)
    #expect(outcome.isOneErrorLine)
    #expect(try !tool.run("help").text.contains("candidates"))
  }
}
