import Glibc
import TestSupport
import Testing

@Suite("exit codes")
struct ExitCodeTests {
  private static let codes = Array(0...20) + [125, 126, 127]

  @Test("a missing vault is 9 and names the path and the remedy")
  func missingVault() throws {
    let tool = try Tool()
    for words in [["get", "a"], ["list"], ["check"], ["slot", "list"], ["set", "a"]] {
      let outcome = try tool.start(words, input: .text("x")).finish()
      #expect(outcome.exitCode == 9)
      #expect(outcome.isOneErrorLine)
      #expect(outcome.errorText.contains(tool.home.path(Tool.vaultPath)))
    }
    #expect(try tool.home.names() == [])
  }

  @Test("a text file, an empty file and a folder are no vault")
  func notAVault() throws {
    let tool = try Tool()
    for (name, bytes) in [("text", Array("hello, world\n".utf8)), ("empty", [])] {
      let path = try tool.home.write(bytes, to: name)
      let outcome = try tool.run("list", "--vault", path)
      #expect(outcome.exitCode == 10)
      #expect(outcome.isOneErrorLine)
      #expect(tool.home.contents(of: name) == bytes)
    }
    let folder = try tool.run("list", "--vault", tool.home.path)
    #expect([10, 13].contains(folder.exitCode))
  }

  @Test("a vault that is open to others is 13 and says how to mend it")
  func insecureVault() throws {
    let tool = try Tool.withVault()
    let bytes = try #require(tool.home.contents(of: Tool.vaultPath))
    try tool.home.write(bytes, to: Tool.vaultPath, mode: 0o644)
    let outcome = try tool.run("list")
    #expect(outcome.exitCode == 13)
    #expect(outcome.errorText.contains("chmod"))
  }

  @Test("failures are found in the documented order")
  func order() throws {
    let tool = try Tool().withoutCredential
    let text = try tool.home.write("hello", to: "text")
    let open = try tool.home.write("key", to: "open", mode: 0o644)
    // Usage before a missing vault, a missing vault before an insecure key file, a file that is no
    // vault before the missing passphrase, and the passphrase before the item.
    #expect(try tool.run("get", "--vault", text).exitCode == 2)
    #expect(try tool.run("list", "--key-file", open).exitCode == 9)
    #expect(try tool.run("list", "--vault", text).exitCode == 10)
    let vault = try Tool.withVault()
    #expect(try vault.withoutCredential.run("get", "missing").exitCode == 7)
    let other = try Tool.withVault()
    let wrong = try vault.run("get", "missing", "--key-file", other.home.path("key"))
    #expect(wrong.exitCode == 8)
  }

  @Test("a vault that another process holds is 12 after the limit, and keeps what it had")
  func busy() throws {
    let tool = try Tool.withVault()
    let lock = unsafe open(tool.home.path(Tool.vaultPath + ".lock"), O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let outcome = try tool.run("set", "a", input: .text("x"))
    #expect(outcome.exitCode == 12)
    #expect(outcome.isOneErrorLine)
    flock(lock, LOCK_UN)
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("exit-codes prints every code once, and --json too")
  func table() throws {
    let tool = try Tool()
    let lines = try tool.run("exit-codes").text.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != "\t" } } == Self.codes.map { Substring("\($0)") })
    let document = try tool.run("exit-codes", "--json").json()
    let codes = try #require(document["exitCodes"] as? [[String: Any]])
    #expect(codes.compactMap { $0["code"] as? Int } == Self.codes)
  }
}
