import Foundation
import TestSupport
import Testing

/// The helper as git itself calls it.
@Suite("helper git, called by git", .enabled(if: GitClient.isInstalled, "there is no git"))
struct GitHelperTests {
  @Test("what git approves it can fill in, host by host")
  func approveAndFill() throws {
    let tool = try Tool.withVault()
    let git = try GitClient(tool)
    #expect(try git.fill("protocol=https", "host=example.com") == nil)
    try git.approve("alice", "p=a ss\"$", host: "example.com:8080")
    let filled = try git.fill("protocol=https", "host=example.com:8080")
    #expect(filled?.isSuperset(of: ["username=alice", "password=p=a ss\"$"]) == true)
    #expect(try git.fill("protocol=https", "host=example.com") == nil)
    #expect(try git.fill("protocol=http", "host=example.com:8080") == nil)
    #expect(try tool.secretText("git:https://example.com:8080", "alice") == "p=a ss\"$")
    let shown = try tool.run("show", "git:https://example.com:8080", "alice").text
    #expect(shown.contains("accessibility: whenUnlocked\n"))
    #expect(shown.contains("kind: genericPassword\n"))
  }

  @Test("case 88: of two users of a host the named one is filled in, without a name a stable one")
  func twoUsers() throws {
    let git = try GitClient(try Tool.withVault())
    try git.approve("bob", "pb", host: "example.com")
    try git.approve("alice", "pa", host: "example.com")
    for (name, password) in [("alice", "pa"), ("bob", "pb")] {
      let filled = try git.fill("protocol=https", "host=example.com", "username=\(name)")
      #expect(filled?.contains("password=\(password)") == true)
    }
    #expect(try git.fill("url=https://bob@example.com/x")?.contains("password=pb") == true)
    #expect(try git.fill("protocol=https", "host=example.com", "username=carol") == nil)
    for _ in 0..<3 {
      let filled = try git.fill("protocol=https", "host=example.com")
      #expect(filled?.isSuperset(of: ["username=alice", "password=pa"]) == true)
    }
  }

  @Test("case 89: reject with an old password leaves the new one, with the same it removes it")
  func rejectOldPassword() throws {
    let tool = try Tool.withVault()
    let git = try GitClient(tool)
    try git.approve("alice", "old", host: "example.com")
    try git.approve("alice", "new", host: "example.com")
    try git.approve("bob", "old", host: "example.com")
    let alice = ["protocol=https", "host=example.com", "username=alice"].joined(separator: "\n")
    _ = try git.credential("reject", alice, "password=old")
    #expect(try git.fill(alice)?.contains("password=new") == true)
    _ = try git.credential("reject", alice, "password=new")
    #expect(try git.fill(alice) == nil)
    #expect(try git.fill("protocol=https", "host=example.com")?.contains("username=bob") == true)
    #expect(try tool.run("list").text == "default\tgit:https://example.com\tbob\n")
  }

  @Test("with useHttpPath each path has a credential of its own")
  func paths() throws {
    let tool = try Tool.withVault()
    let git = try GitClient(tool, settings: "\tuseHttpPath = true\n")
    _ = try git.credential("approve", "url=https://alice:pa@example.com/a.git")
    let a = try git.fill("url=https://example.com/a.git")
    #expect(a?.isSuperset(of: ["path=a.git", "username=alice", "password=pa"]) == true)
    #expect(try git.fill("url=https://example.com/b.git") == nil)
    #expect(try tool.secretText("git:https://example.com/a.git", "alice") == "pa")
  }

  @Test(
    "a url means to the helper what it means to git",
    arguments: [
      "https://example.com", "https://ex%61mple.com:80%30/",
      "https://u%3Ax:p%3Ay%20@h/a%20b:c%20d//",
      "https://u@h@i/x", "https://u@h/x@y:z", "https://h?q=a/b", "https://h#f",
      "https://u:@h//a%2F",
      "https://@h/x", "https://:p@h", "x+y.z-1://h/a/b", "cert:///a//b/", "https://h/%zz%4",
      "https://[::1]:1/a", "https://ü.example/é",
    ]
  )
  func urls(url: String) throws {
    let tool = try Tool.withVault()
    let git = try GitClient(tool, settings: "\tuseHttpPath = true\n")
    // The last username and password count, whether the url has others or none.
    let approved = try git.credential("approve", "url=\(url)", "username=u", "password=p")
    #expect(approved.exitCode == 0)
    let request = "url=\(url)\nusername=u\n"
    let answer = try tool.run("helper", "git", "get", input: .text(request))
    #expect(answer.text == "username=u\npassword=p\n")
  }

  @Test("while locked every verb fails loudly, nothing changes, and git goes on to ask")
  func locked() throws {
    let tool = try Tool.withVault()
    let git = try GitClient(tool.withoutCredential)
    let key = tool.home.path("key")
    #expect(try tool.run("unlock", "--key-file", key).exitCode == 0)
    try git.approve("alice", "pa", host: "example.com")
    #expect(try tool.run("lock").exitCode == 0)

    let filled = try git.credential("fill", "protocol=https", "host=example.com")
    #expect(filled.exitCode != 0)
    #expect(filled.errorText.contains("secretvault: the item is locked; "))
    #expect(filled.errorText.contains("could not read Username"))
    for verb in ["approve", "reject"] {
      let lines = ["protocol=https", "host=example.com", "username=alice", "password=pa"]
      let outcome = try git.credential(verb, lines.joined(separator: "\n"))
      #expect(outcome.errorText.contains("secretvault: the item is locked; "), "\(verb)")
    }
    _ = try git.credential("reject", "protocol=https", "host=example.com")

    #expect(try tool.run("unlock", "--key-file", key).exitCode == 0)
    let again = try git.fill("protocol=https", "host=example.com")
    #expect(again?.contains("password=pa") == true)
  }

  @Test("through the agent a wrong password is kept apart from the right one")
  func agent() throws {
    let tool = try Tool.withVault()
    let git = try GitClient(tool.withoutCredential)
    #expect(try tool.run("unlock", "--key-file", tool.home.path("key")).exitCode == 0)
    try git.approve("alice", "pa", host: "example.com")
    _ = try git.credential("reject", "protocol=https", "host=example.com", "password=other")
    #expect(try git.fill("protocol=https", "host=example.com")?.contains("password=pa") == true)
    _ = try git.credential("reject", "protocol=https", "host=example.com", "password=pa")
    #expect(try git.fill("protocol=https", "host=example.com") == nil)
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("a password that has expired is not filled in, with every version of git")
  func expired() throws {
    let tool = try Tool.withVault()
    let git = try GitClient(tool)
    for (seconds, isFilled) in [("1000000000", false), ("4102444800", true)] {
      let stored = try tool.run(
        "helper",
        "git",
        "store",
        input: .text(
          "protocol=https\nhost=a\nusername=u\npassword=p\npassword_expiry_utc=\(seconds)\n"
        )
      )
      #expect(stored.exitCode == 0)
      #expect((try git.fill("protocol=https", "host=a") != nil) == isFilled)
    }
  }

  @Test(
    "git hands the expiry and the refresh token on and gets them back",
    .enabled(if: GitClient.version.lexicographicallyPrecedes([2, 41]) == false, "git is older")
  )
  func expiryAndToken() throws {
    let git = try GitClient(try Tool.withVault())
    let lines = ["protocol=https", "host=a", "username=u", "password=p"]
    let extra = ["password_expiry_utc=4102444800", "oauth_refresh_token=r"]
    _ = try git.credential("approve", (lines + extra).joined(separator: "\n"))
    #expect(try git.fill("protocol=https", "host=a")?.isSuperset(of: lines + extra) == true)
  }
}
