import TestSupport
import Testing

@Suite("references")
struct ReferenceTests {
  /// What a program gets for a reference.
  private static func value(_ reference: String, _ tool: Tool) throws -> ChildProcess.Outcome {
    try tool.run("run", "--env", "A=\(reference)", "--", "sh", "-c", "printf %s \"$A\"")
  }

  @Test(
    "case 26: a reference names an item in one word, whatever its name",
    arguments: [
      ("secret://api.example.com/alice", "api.example.com", "alice"),
      ("secret://api.example.com/", "api.example.com", ""),
      ("secret://api.example.com", "api.example.com", ""),
      ("secret://a%20b%2Fc/d%3Fe%25", "a b/c", "d?e%"),
      ("secret://git:https:%2F%2Fexample.com/me", "git:https://example.com", "me"),
      ("secret://%c3%A9t%C3%a9/%0A", "été", "\n"),
      ("secret://a/b?group=default", "a", "b"),
      ("secret://a?group=%64efault", "a", ""),
      ("secret://..%2F..%2Fx/A;b='$(touch)'!*,", "../../x", "A;b='$(touch)'!*,"),
    ]
  )
  func valid(reference: String, service: String, account: String) throws {
    let tool = try Tool.withVault()
    try tool.store("found", service, account)
    let outcome = try Self.value(reference, tool)
    #expect(outcome.exitCode == 0)
    #expect(outcome.text == "found")
    let filled = try tool.run("inject", input: .text("{{\(reference)}}"))
    #expect(filled.text == "found")
  }

  @Test(
    "a malformed reference is a usage error that does not repeat it",
    arguments: [
      "", "secret", "secret:/a", "secret:///a", "secret://", "secret:///",
      "secret://?group=default",
      "SECRET://a", "secret://hush/b/c", "secret://a%", "secret://a%2", "secret://hush%zz",
      "secret://a%+1",
      "secret://hush b", "secret://a\nb", "secret://é", "secret://a/b#c", "secret://a?",
      "secret://hush?hush=hush",
      "secret://a?group=", "secret://a?group=x&group=y", "secret://a?group=x?y",
      "secret://a?group=%FF",
      "secret://a/b?group=x&other=y", "secret://a{b", "https://hush/b", "hush",
    ]
  )
  func malformed(reference: String) throws {
    let tool = try Tool()
    let outcome = try Self.value(reference, tool)
    #expect(outcome.exitCode == 125)
    #expect(outcome.isOneErrorLine)
    #expect(outcome.output.isEmpty)
    #expect(!outcome.errorText.contains("hush"))
  }

  @Test("a group in a reference is the group that is read")
  func groups() throws {
    let tool = try Tool.withVault()
    try tool.store("tok", "a")
    let outcome = try Self.value("secret://a?group=nothing", tool)
    #expect(outcome.exitCode == 125)
    #expect(outcome.isOneErrorLine)
  }
}
