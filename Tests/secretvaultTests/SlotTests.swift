import TestSupport
import Testing

@Suite("passphrase and slot")
struct SlotTests {
  @Test("passphrase replaces the old one, says that this revokes nothing, and names rotate")
  func passphrase() throws {
    let tool = try Tool()
    let old = try tool.home.write("the old passphrase\n", to: "old")
    let new = try tool.home.write("the new passphrase\n", to: "new")
    #expect(try tool.run("init", "--passphrase-file", old).exitCode == 0)
    let changed = try tool.run("passphrase", "--passphrase-file", old, "--new-passphrase-file", new)
    #expect(changed.exitCode == 0)
    #expect(changed.errorText.contains("revokes nothing"))
    #expect(changed.errorText.contains("rotate"))
    #expect(try tool.run("list", "--passphrase-file", old).exitCode == 8)
    #expect(try tool.run("list", "--passphrase-file", new).exitCode == 0)
    #expect(try tool.run("passphrase", "--passphrase-file", new).exitCode == 7)
    let empty = try tool.run(
      "passphrase",
      "--passphrase-file",
      new,
      "--new-passphrase-fd",
      "0",
      input: .text("\n")
    )
    #expect(empty.exitCode == 2)
    #expect(try tool.run("list", "--passphrase-file", new).exitCode == 0)
  }

  @Test("slots are added, listed with what they need, and removed by their id")
  func slots() throws {
    let tool = try Tool.withVault()
    let second = tool.home.path("second")
    let added = try tool.run("slot", "add", "--generate-key-file", second, "--label", "laptop")
    #expect(added.exitCode == 0)
    let id = added.text.dropLast()
    #expect(id.count == 32)
    #expect(try tool.run("list", "--key-file", second).exitCode == 0)
    let code = tool.home.path("code")
    let recovery = try tool.run("slot", "add", "--recovery-code-file", code, "--json")
    #expect(recovery.exitCode == 0)
    #expect(try recovery.json()["slot"] as? String != nil)
    let codeBytes = try #require(tool.home.contents(of: "code"))
    let opened = try tool.run("list", "--recovery-code-fd", "4") { $0.descriptors[4] = codeBytes }
    #expect(opened.exitCode == 0)

    let listed = try tool.run("slot", "list")
    #expect(listed.text.contains("\(id)\tkey\t-\tvault\tlaptop\n"))
    let document = try tool.run("slot", "list", "--json").json()
    let slots = try #require(document["slots"] as? [[String: Any]])
    #expect(slots.count == 3)
    #expect(
      slots.contains { $0["label"] as? String == "laptop" && $0["needs"] as? [String] == ["key"] }
    )

    #expect(try tool.run("slot", "remove", String(id)).exitCode == 0)
    #expect(try tool.run("list", "--key-file", second).exitCode == 8)
    #expect(try tool.run("list").exitCode == 0)
  }

  @Test("slot add makes one slot, and a slot command needs its second word")
  func slotUsage() throws {
    let tool = try Tool.withVault()
    let two = try tool.run(
      "slot",
      "add",
      "--generate-key-file",
      tool.home.path("k"),
      "--recovery-code-file",
      tool.home.path("r")
    )
    #expect(two.exitCode == 2)
    #expect(!tool.home.has("k"))
    #expect(try tool.run("slot").exitCode == 2)
    #expect(try tool.run("slot", "frobnicate").exitCode == 2)
    #expect(try tool.run("slot", "remove").exitCode == 2)
    #expect(try tool.run("slot", "add").exitCode == 7)
  }

  @Test(
    "without a terminal, who is to give a new passphrase is told the options for it, all of the command"
  )
  func newPassphraseNeeded() throws {
    let tool = try Tool.withVault()
    for words in [["passphrase"], ["slot", "add"], ["group", "share", "default"], ["init"]] {
      let isNew = words == ["init"]
      let vault = isNew ? ["--vault", tool.home.path("new.vault")] : []
      let outcome = try (isNew ? tool.withoutCredential : tool).start(words + vault).finish()
      #expect(outcome.exitCode == 7)
      #expect(outcome.errorText.contains("--new-passphrase-file"))
      let help = try tool.start(["help"] + words.filter { $0 != "default" }).finish().text
      for word in outcome.errorText.split(whereSeparator: { ", \n".contains($0) })
      where word.hasPrefix("--") {
        #expect(help.contains(word))
      }
    }
  }

  @Test("removing an unknown slot fails and changes nothing")
  func unknownSlot() throws {
    let tool = try Tool.withVault()
    let outcome = try tool.run("slot", "remove", String(repeating: "0", count: 32))
    #expect(outcome.exitCode != 0)
    #expect(outcome.isOneErrorLine)
    #expect(try tool.run("list").exitCode == 0)
  }
}
