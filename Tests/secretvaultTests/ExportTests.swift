import TestSupport
import Testing

/// What an export holds, where it goes and what it leaves behind.
@Suite("export")
struct ExportTests {
  @Test("json has every attribute and the secret, and no more than the vault has")
  func json() throws {
    let tool = try Tool.withVault()
    try tool.store("tok\n", "s", "a")
    try tool.store([0xFF, 0], "s", "b")
    try tool.store("", "t")
    #expect(try tool.run("edit", "s", "a", "--label", "L", "--comment", "C").exitCode == 0)
    let document = try tool.run("export", "--format", "json", "--stdout").json()
    #expect(document["version"] as? Int == 1)
    #expect(document["locked"] as? Int == 0)
    let items = try #require(document["items"] as? [[String: Any]])
    #expect(items.map { $0["account"] as? String } == ["a", "b", ""])
    let secrets = items.map { $0["secret"] as? [String: String] }
    #expect(
      secrets == [
        ["encoding": "utf8", "value": "tok\n"], ["encoding": "base64", "value": "/wA="],
        ["encoding": "utf8", "value": ""],
      ]
    )
    #expect(items[0]["label"] as? String == "L")
    #expect(items[0]["comment"] as? String == "C")
    #expect(items[0]["group"] as? String == "default")
    #expect(items[0]["kind"] as? String == "genericPassword")
    #expect(items[0]["accessibility"] as? String == "whenUnlocked")
    #expect(items[0]["version"] == nil)
    #expect(items[0]["modified"] == nil)
    let some = try tool.run("export", "--format", "json", "--stdout", "--service", "t").json()
    #expect((some["items"] as? [Any])?.count == 1)
    let none = try tool.run("export", "--format=json", "--stdout", "--service", "no")
    #expect(none.text == "{\"version\":1,\"items\":[],\"locked\":0}\n")
  }

  @Test(
    "plain text goes to a new private file or to standard output, and nowhere without being told"
  )
  func places() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s", "A")
    let out = tool.home.path("out")
    #expect(try tool.run("export", "--format", "json", "--out", out).exitCode == 0)
    #expect(try tool.home.mode(of: "out") == 0o600)
    let text = try tool.run("export", "--format", "json", "--stdout").output
    #expect(tool.home.contents(of: "out") == text)
    let again = try tool.run("export", "--format", "json", "--out", out)
    #expect(again.exitCode == 5)
    #expect(again.isOneErrorLine)
    #expect(tool.home.contents(of: "out") == text)
    let names = try tool.home.names()
    for words in [
      [], ["--stdout", "--out", out + "2"], ["--stdout", "--out", ""],
      ["--stdout", "--new-key-file", out],
    ] {
      let outcome = try tool.start(["export", "--format", "json"] + words).finish()
      #expect(outcome.exitCode == 2, "\(words)")
      #expect(outcome.output.isEmpty)
    }
    for words in [
      ["--stdout"], ["--format", "yaml", "--stdout"], ["--format", "vault", "--stdout"],
    ] {
      #expect(try tool.start(["export"] + words).finish().exitCode == 2, "\(words)")
    }
    for format in ["env", "shell", "k8s"] {
      #expect(try tool.run("export", "--format", format, "--stdout").exitCode == 2)
      let none = try tool.run("export", "--format", format, "--stdout", "--service", "none")
      #expect(none.exitCode == 3)
    }
    #expect(try tool.home.names() == names)
  }

  @Test(
    "a credential is asked for, also where an agent holds the keys, and a wrong one gives nothing"
  )
  func credential() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "s")
    let words = ["export", "--format", "json", "--stdout"]
    let none = try tool.withoutCredential.start(words).finish()
    #expect(none.exitCode == 7)
    #expect(none.output.isEmpty)
    #expect(try tool.run("unlock").exitCode == 0)
    #expect(try tool.withoutCredential.run("get", "s").text == "tok")
    let unlocked = try tool.withoutCredential.start(words).finish()
    #expect(unlocked.exitCode == 7)
    #expect(unlocked.output.isEmpty)
    let other = try Tool.withVault()
    let wrong = try tool.start(words + ["--key-file", other.home.path("key")]).finish()
    #expect(wrong.exitCode == 8)
    #expect(wrong.output.isEmpty)
  }

  @Test("a limit on the size of files leaves nothing of the secrets behind")
  func fileSizeLimit() throws {
    let tool = try Tool.withVault()
    try tool.store([UInt8](repeating: 0x78, count: 100_000), "s", "A")
    let script = "ulimit -f 20; exec \"$0\" export --format json --out \"$1\""
    let outcome = try tool.run("-c", script, Tool.executable, tool.home.path("out")) {
      $0.executable = "/bin/bash"
    }
    #expect(outcome.exitCode != 0)
    #expect(try tool.home.names() == [".local", "key"])
  }

  @Test("case 73: a damaged item refuses the export, and no half of it is left")
  func damaged() throws {
    let tool = try Tool.withVault()
    for account in ["A", "B", "C"] { try tool.store("tok", "s", account) }
    try RawDatabase(tool.home.path(Tool.vaultPath)).execute(
      "UPDATE box SET secret = zeroblob(length(secret)) WHERE id = (SELECT max(id) FROM box)"
    )
    let names = try tool.home.names()
    for format in ["json", "env", "shell", "k8s"] {
      for place in [["--out", tool.home.path("out")], ["--stdout"]] {
        let words = ["export", "--format", format, "--service", "s"] + place
        let outcome = try tool.start(words).finish()
        #expect(outcome.exitCode == 10)
        #expect(outcome.output.isEmpty)
        #expect(try tool.home.names() == names)
      }
    }
  }

  @Test("an expired secret is exported, with its moment")
  func expired() throws {
    let tool = try Tool.withVault()
    #expect(
      try tool.run("set", "s", "--expires", "2001-02-03", input: .text("tok")).exitCode == 0
    )
    #expect(try tool.run("get", "s").exitCode == 19)
    let document = try tool.run("export", "--format", "json", "--stdout").json()
    let item = try #require((document["items"] as? [[String: Any]])?.first)
    #expect(item["expires"] as? String == "2001-02-03T00:00:00.000Z")
    #expect((item["secret"] as? [String: String])?["value"] == "tok")
  }
}
