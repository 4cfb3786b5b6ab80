import SecretVault
import TestSupport
import Testing

@Suite("access groups")
struct GroupTests {
  /// A vault with several groups, all opened by one key file.
  private static func vault(_ first: String, _ others: String...) throws -> Tool {
    var tool = try Tool()
    let key = try Credential.makeKeyFile()
    try key.write(toNewPrivateFile: tool.home.path("key"))
    tool.environment["SECRETVAULT_KEY_FILE"] = tool.home.path("key")
    tool.environment["SECRETVAULT_PATH"] = tool.home.path("vault")
    var options = SecretStore.Options()
    options.stateDirectory = tool.home.path(".local/state/secretvault")
    let credential = Credential.keyFile(contents: key)
    let store = try SecretStore.create(
      at: tool.home.path("vault"),
      protectedBy: [.init(credential)],
      group: first,
      options: options
    )
    let administration = try store.administration(with: credential)
    for name in others { try administration.createGroup(name) }
    store.close()
    return tool
  }

  @Test("without --group the group default is meant, and list covers all")
  func defaultGroup() throws {
    let tool = try Self.vault("default", "other")
    try tool.store("one", "a")
    #expect(try tool.run("set", "a", "--group", "other", input: .text("two")).exitCode == 0)
    #expect(try tool.secretText("a") == "one")
    #expect(try tool.run("get", "a", "--group=other").text == "two")
    #expect(try tool.run("list").text == "default\ta\t\nother\ta\t\n")
    #expect(try tool.run("search", "A").text == "default\ta\t\nother\ta\t\n")
    #expect(try tool.run("list", "--group", "other").text == "other\ta\t\n")
  }

  @Test("where several other groups are open it is 4 and names --group")
  func ambiguous() throws {
    let tool = try Self.vault("first", "second")
    let outcome = try tool.run("get", "a")
    #expect(outcome.exitCode == 4)
    #expect(outcome.isOneErrorLine)
    #expect(outcome.errorText.contains("--group"))
    #expect(try tool.run("get", "a", "--group", "second").exitCode == 3)
  }

  @Test("a group that the credential does not open is refused, for a single item and a list")
  func unknownGroup() throws {
    let tool = try Self.vault("default")
    for words in [["get", "a"], ["list"], ["search", "a"]] {
      let outcome = try tool.start(words + ["--group", "nothing"]).finish()
      #expect(outcome.exitCode == 13, "\(words)")
      #expect(outcome.isOneErrorLine)
    }
  }
}
