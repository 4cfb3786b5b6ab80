import Foundation
import Glibc
import SecretVault
import TestSupport
import Testing

@Suite("group create, list and share")
struct GroupCommandTests {
  @Test("a group is made, listed with its items, shared with a key file, and opened by it alone")
  func whole() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("group", "create", "ci\t1").exitCode == 0)
    try tool.store("own", "own")
    #expect(try tool.run("set", "token", "--group", "ci\t1", input: .text("t")).exitCode == 0)
    let key = tool.home.path("ci")
    let shared = try tool.run("group", "share", "ci\t1", "--generate-key-file", key, "--label=ci")
    #expect(shared.exitCode == 0)
    let slot = shared.text.dropLast()
    #expect(slot.count == 32)
    let list = try tool.run("group", "list")
    #expect(list.text == "default\t1\t-\nci\\t1\t1\t\(slot)\n")
    #expect(try tool.run("slot", "list").text.contains("\(slot)\tkey\t-\tgroup ci\\t1\tci\n"))
    #expect(try tool.run("get", "token", "--key-file", key).text == "t")
    #expect(try tool.run("list", "--key-file", key).text == "ci\\t1\ttoken\t\n")
    #expect(try tool.run("get", "own", "--group=default", "--key-file", key).exitCode == 13)
    #expect(try tool.run("group", "list", "--key-file", key).exitCode == 13)
  }

  @Test("each of the commands that print has JSON")
  func json() throws {
    let tool = try Tool.withVault()
    let created = try tool.run("group", "create", "work", "--json").json()
    #expect(created["group"] as? String == "work")
    let key = tool.home.path("work")
    let shared = try tool.run("group", "share", "work", "--generate-key-file", key, "--json")
    let slot = try #require(try shared.json()["slot"] as? String)
    let list = try tool.run("group", "list", "--json").json()
    let groups = try #require(list["groups"] as? [[String: Any]])
    #expect(groups.map { $0["name"] as? String } == ["default", "work"])
    #expect(groups.map { $0["items"] as? Int } == [0, 0])
    #expect(groups.map { $0["slots"] as? [String] } == [[], [slot]])
    let slots = try #require(
      try tool.run("slot", "list", "--json").json()["slots"] as? [[String: Any]]
    )
    let entry = try #require(slots.first { $0["id"] as? String == slot })
    #expect(entry["group"] as? String == "work")
    #expect(entry["opensOneGroup"] as? Bool == true)
  }

  @Test("a passphrase opens a group, alone or with a key file")
  func passphrase() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("group", "create", "work").exitCode == 0)
    let phrase = try tool.home.write("a passphrase of work\n", to: "phrase")
    let share = ["group", "share", "work", "--new-passphrase-file", phrase]
    #expect(try tool.start(share).finish().exitCode == 0)
    #expect(try tool.run("list", "--passphrase-file", phrase).exitCode == 0)
    #expect(try tool.run("get", "x", "--passphrase-file", phrase).exitCode == 3)
    #expect(
      try tool.run("get", "x", "--group=default", "--passphrase-file", phrase).exitCode == 13
    )
  }

  @Test(
    "a name that is taken is 5, one that is none 2, and a group that is not there makes no file"
  )
  func refusals() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("group", "create", "default").exitCode == 5)
    #expect(try tool.run("group", "create", "").exitCode == 2)
    #expect(try tool.run("group", "create", String(repeating: "x", count: 253)).exitCode == 2)
    #expect(try tool.run("group", "create").exitCode == 2)
    let key = tool.home.path("none")
    let outcome = try tool.run("group", "share", "none", "--generate-key-file", key)
    #expect(outcome.exitCode == 2)
    #expect(outcome.isOneErrorLine)
    #expect(!tool.home.has("none"))
    #expect(try tool.run("group", "list").text == "default\t0\t-\n")
  }

  @Test("the group commands ask for a credential, whatever the agent holds")
  func credential() throws {
    let tool = try Tool.withVault()
    let key = tool.home.path("key")
    #expect(try tool.withoutCredential.run("unlock", "--key-file", key).exitCode == 0)
    for words in [["create", "x"], ["list"], ["share", "default", "--new-passphrase-fd", "0"]] {
      let outcome = try tool.withoutCredential.start(["group"] + words).finish()
      #expect(outcome.exitCode == 7, "\(words)")
    }
  }

  @Test("names of groups are completed while the agent is unlocked, and nobody is asked for them")
  func completion() throws {
    let tool = try Tool.withVault()
    #expect(try tool.run("group", "create", "work").exitCode == 0)
    #expect(try tool.run("set", "token", "--group=work", input: .text("t")).exitCode == 0)
    func candidates(_ tool: Tool) throws -> String {
      let input = ["group", "share", "w"].map { $0 + "\0" }.joined()
      return try tool.run("completion", "candidates", "zsh", input: .text(input)).text
    }
    #expect(try candidates(tool) == "words\0")
    let key = tool.home.path("key")
    #expect(try tool.withoutCredential.run("unlock", "--key-file", key).exitCode == 0)
    #expect(try candidates(tool.withoutCredential) == "words\0work\0")
    #expect(try tool.run("lock").exitCode == 0)
    #expect(try candidates(tool.withoutCredential) == "words\0")
  }
}

@Suite("--shared-with")
struct SharedWithTests {
  /// A tool with a vault that the user's own Unix group shares, or for root one that nobody has.
  private func tool() throws -> (tool: Tool, group: String) {
    var tool = try Tool()
    let group = geteuid() == 0 ? "61100" : String(getegid())
    let key = tool.home.path("key")
    tool.environment["SECRETVAULT_PATH"] = tool.home.path("shared/test.vault")
    tool.environment["SECRETVAULT_KEY_FILE"] = key
    let made = try tool.run("init", "--generate-key-file", key, "--shared-with", group)
    if made.exitCode != 0 { throw SetupFailure(description: made.errorText) }
    return (tool, group)
  }

  @Test("a vault is made with it and opened with it, as an option or a variable, and not without")
  func everywhere() throws {
    var (tool, group) = try tool()
    #expect(try tool.home.mode(of: "shared") == 0o2770)
    #expect(try tool.home.mode(of: "shared/test.vault") == 0o660)
    let refused = try tool.run("list")
    #expect(refused.exitCode == 13)
    #expect(refused.errorText.contains("--shared-with"))
    #expect(try tool.run("list", "--shared-with", group).exitCode == 0)
    tool.environment["SECRETVAULT_SHARED_WITH"] = group
    try tool.store("token", "api")
    #expect(try tool.secretText("api") == "token")
    #expect(try tool.run("check").exitCode == 0)
    let bound = try tool.run(
      "set",
      "bound",
      "--accessibility",
      "whenUnlockedThisDeviceOnly",
      input: .text("x")
    )
    #expect(bound.exitCode == 15)
    #expect(try tool.run("list", "--shared-with", "no-such-group").exitCode == 2)
  }

  @Test("a private vault is not opened with it")
  func privateVault() throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("list", "--shared-with", "0")
    #expect(outcome.exitCode == 13)
    #expect(outcome.isOneErrorLine)
  }

  @Test("the agent opens the vault with it, and gives its items to who does not name it")
  func agent() throws {
    let (tool, group) = try tool()
    let key = tool.home.path("key")
    let client = tool.withoutCredential
    #expect(try client.run("unlock", "--key-file", key).exitCode == 13)
    #expect(try client.run("unlock", "--key-file", key, "--shared-with", group).exitCode == 0)
    try client.store("token", "api")
    #expect(try client.secretText("api") == "token")
    #expect(try client.run("status").exitCode == 0)
  }

  @Test("an export of the vault is private")
  func export() throws {
    var (tool, group) = try tool()
    tool.environment["SECRETVAULT_SHARED_WITH"] = group
    #expect(try tool.run("set", "api", "--synchronizable", input: .text("token")).exitCode == 0)
    let copy = tool.home.path("copy.vault")
    let key = tool.home.path("copy-key")
    let outcome = try tool.run(
      "export",
      "--format=vault",
      "--out",
      copy,
      "--generate-key-file",
      key
    )
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(try tool.home.mode(of: "copy.vault") == 0o600)
  }
}
