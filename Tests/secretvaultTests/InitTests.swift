import Foundation
import TestSupport
import Testing

@Suite("init")
struct InitTests {
  @Test("the main job works as a script runs it, without a terminal")
  func mainJob() throws {
    let tool = try Tool()
    try tool.home.write("correct horse battery\n", to: "pw")
    let code = tool.home.path("rc")
    let made = try tool.run(
      "init",
      "--passphrase-file",
      tool.home.path("pw"),
      "--recovery-code-file",
      code
    )
    #expect(made.exitCode == 0)
    var script = tool
    script.environment["SECRETVAULT_PASSPHRASE_FILE"] = tool.home.path("pw")
    let stored = try script.run("set", "api.example.com", "alice", input: .text("tok"))
    #expect(stored.exitCode == 0)
    #expect(try script.secret("api.example.com", "alice") == Array("tok".utf8))
  }

  @Test("the recovery code that was written opens the vault, and its file is private")
  func recoveryCode() throws {
    let tool = try Tool()
    let made = try tool.run(
      "init",
      "--generate-key-file",
      tool.home.path("key"),
      "--recovery-code-file",
      tool.home.path("rc")
    )
    #expect(made.exitCode == 0)
    #expect(made.errors.isEmpty)
    #expect(try tool.home.mode(of: "rc") == 0o600)
    let code = try #require(tool.home.contents(of: "rc"))
    let listed = try tool.run("list", "--recovery-code-fd", "7") { $0.descriptors[7] = code }
    #expect(listed.exitCode == 0)
  }

  @Test("without a terminal and a file for it no recovery code is made, and standard error says so")
  func noRecoveryCode() throws {
    let tool = try Tool()
    let made = try tool.run("init", "--generate-key-file", tool.home.path("key"))
    #expect(made.exitCode == 0)
    #expect(made.errorText.contains("--recovery-code-file"))
    let listed = try tool.run("slot", "list", "--key-file", tool.home.path("key"))
    #expect(listed.text.split(separator: "\n").count == 1)
  }

  @Test("without a terminal and without a credential it is 7 at once, and makes nothing")
  func noCredential() throws {
    let tool = try Tool()
    let made = try tool.run("init", input: .silent)
    #expect(made.exitCode == 7)
    #expect(made.isOneErrorLine)
    #expect(!tool.home.has(Tool.vaultPath))
  }

  @Test("an existing path is 5 and stays as it is, a vault or any other file")
  func existingPath() throws {
    let tool = try Tool.withVault()
    let before = tool.home.contents(of: Tool.vaultPath)
    let again = try tool.run("init")
    #expect(again.exitCode == 5)
    #expect(again.isOneErrorLine)
    #expect(tool.home.contents(of: Tool.vaultPath) == before)

    let text = try tool.home.write("hello", to: "text")
    let other = try tool.run("init", "--vault", text, "--generate-key-file", tool.home.path("k2"))
    #expect(other.exitCode == 5)
    #expect(tool.home.contents(of: "text") == Array("hello".utf8))
    #expect(!tool.home.has("k2"))
  }

  @Test("a passphrase and a key file make one slot that needs both")
  func bothFactors() throws {
    let tool = try Tool()
    let key = tool.home.path("key")
    let passphrase = try tool.home.write("correct horse battery", to: "pw")
    #expect(
      try tool.run("init", "--passphrase-file", passphrase, "--generate-key-file", key).exitCode
        == 0
    )
    let both = try tool.run("slot", "list", "--key-file", key, "--passphrase-file", passphrase)
    #expect(both.exitCode == 0)
    #expect(both.text.contains("passphrase+key"))
    #expect(try tool.run("list", "--key-file", key).exitCode == 8)
    #expect(try tool.run("list", "--passphrase-file", passphrase).exitCode == 8)
    var mixed = tool
    mixed.environment["SECRETVAULT_KEY_FILE"] = key
    #expect(try mixed.run("list", "--passphrase-file", passphrase).exitCode == 0)
  }

  @Test("with --either a passphrase and a key file make two slots, and each opens alone")
  func eitherFactor() throws {
    let tool = try Tool()
    let key = tool.home.path("key")
    let passphrase = try tool.home.write("correct horse battery", to: "pw")
    let made = try tool.run(
      "init",
      "--new-passphrase-file",
      passphrase,
      "--generate-key-file",
      key,
      "--either"
    )
    #expect(made.exitCode == 0)
    #expect(try tool.run("list", "--key-file", key).exitCode == 0)
    #expect(try tool.run("list", "--passphrase-file", passphrase).exitCode == 0)
    let alone = try Tool().run("init", "--generate-key-file", key + "2", "--either")
    #expect(alone.exitCode == 2)
  }

  @Test("the group that is made can have another name, and is then the one that is meant")
  func otherGroup() throws {
    var tool = try Tool()
    let key = tool.home.path("key")
    #expect(
      try tool.run("init", "--generate-key-file", key, "--group", "team-a_b").exitCode == 0
    )
    tool.environment["SECRETVAULT_KEY_FILE"] = key
    try tool.store("tok", "a")
    #expect(try tool.run("list").text == "team-a_b\ta\t\n")
    #expect(try tool.run("get", "a", "--group", "team-a_b").text == "tok")
  }

  @Test("an empty passphrase is 2, and a short one is remarked on")
  func weakPassphrase() throws {
    let tool = try Tool()
    let empty = try tool.run("init", "--passphrase-fd", "0", input: .text("\n"))
    #expect(empty.exitCode == 2)
    #expect(!tool.home.has(Tool.vaultPath))
    let short = try tool.run("init", "--passphrase-fd", "0", input: .text("abc\n"))
    #expect(short.exitCode == 0)
    #expect(short.errorText.contains("short"))
  }

  @Test("a key file that exists is not overwritten, and one for a vault that failed goes again")
  func keyFileKept() throws {
    let tool = try Tool()
    let key = try tool.home.write("mine", to: "key")
    let refused = try tool.run("init", "--generate-key-file", key)
    #expect(refused.exitCode == 5)
    #expect(tool.home.contents(of: "key") == Array("mine".utf8))

    let fresh = tool.home.path("fresh")
    let failed = try tool.run("init", "--generate-key-file", fresh, "--recovery-code-file", key)
    #expect(failed.exitCode == 5)
    #expect(!tool.home.has("fresh"))
    #expect(!tool.home.has(Tool.vaultPath))
  }

  @Test(
    "folders are made 0700 and files 0600, whatever the umask",
    arguments: ["000", "022", "077"]
  )
  func modes(umask: String) throws {
    let tool = try Tool()
    let script = """
      umask \(umask); "$0" init --generate-key-file "$HOME/key" --recovery-code-file "$HOME/rc" \
      && printf tok | "$0" set a --key-file "$HOME/key"
      """
    var request = ChildProcess.Request(
      executable: "/bin/sh",
      arguments: ["-c", script, Tool.executable].map { Array($0.utf8) },
      environment: tool.environment
    )
    request.input = .pipe
    #expect(try ChildProcess(request).finish().exitCode == 0)
    let enumerator = try #require(FileManager.default.enumerator(atPath: tool.home.path))
    var count = 0
    for case let name as String in enumerator {
      let file = URL(fileURLWithPath: tool.home.path(name))
      let isFolder = try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory
      #expect(try tool.home.mode(of: name) == (isFolder == true ? 0o700 : 0o600), "\(name)")
      count += 1
    }
    #expect(count > 6)
  }
}
