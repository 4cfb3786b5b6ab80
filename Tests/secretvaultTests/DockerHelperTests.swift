import Foundation
import TestSupport
import Testing

/// The protocol of docker-credential-helpers, by its texts.
@Suite("helper docker")
struct DockerHelperTests {
  private static let server = "https://index.docker.io/v1/"

  /// Calls the tool as docker does: by the helper's name, with a verb.
  private func helper(
    _ tool: Tool,
    _ verb: String,
    _ input: String = ""
  ) throws -> ChildProcess.Outcome {
    let path = tool.home.path("docker-credential-secretvault")
    if !tool.home.has("docker-credential-secretvault") {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: Tool.executable)
    }
    var request = ChildProcess.Request(
      executable: path,
      arguments: [Array(verb.utf8)],
      environment: tool.environment
    )
    request.input = .text(input)
    return try ChildProcess(request).finish()
  }

  private func store(_ tool: Tool, _ server: String, _ user: String, _ secret: String) throws {
    let credential = ["ServerURL": server, "Username": user, "Secret": secret]
    let json = try JSONSerialization.data(withJSONObject: credential)
    let outcome = try helper(tool, "store", String(decoding: json, as: UTF8.self))
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.isEmpty)
  }

  @Test("case 85: what is not known is told by the exact text on standard output, with 1")
  func notFound() throws {
    let tool = try Tool.withVault()
    let outcome = try helper(tool, "get", Self.server)
    #expect(outcome.exitCode == 1)
    #expect(outcome.text == "credentials not found in native keychain\n")
    #expect(outcome.errors.isEmpty)
  }

  @Test(
    "what is stored comes back, whatever is in it",
    arguments: [
      "", "secret", "a\"b\\c/\u{8}\u{C}\n\r\t", "ü😀\u{7F}\u{1}", "</script>&", "{\"Secret\":\"x\"}",
    ]
  )
  func roundTrip(secret: String) throws {
    let tool = try Tool.withVault()
    try store(tool, Self.server, "<token>", secret)
    let answer = try helper(tool, "get", " \(Self.server)\n").json()
    #expect(
      answer as? [String: String] == [
        "ServerURL": Self.server, "Username": "<token>", "Secret": secret,
      ]
    )
    #expect(try tool.secretText("docker:" + Self.server, "<token>") == secret)
  }

  @Test("a server has one account: another user takes its place")
  func oneAccount() throws {
    let tool = try Tool.withVault()
    try store(tool, Self.server, "bob", "1")
    try store(tool, Self.server, "alice", "2")
    try store(tool, Self.server, "zoe", "3")
    #expect(try tool.run("list").text == "default\tdocker:\(Self.server)\tzoe\n")
    #expect(try helper(tool, "get", Self.server).json()["Secret"] as? String == "3")
  }

  @Test("servers whose names differ in their bytes alone are listed apart")
  func normalization() throws {
    let tool = try Tool.withVault()
    try store(tool, "caf\u{e9}", "one", "x")
    try store(tool, "cafe\u{301}", "two", "x")
    let text = try helper(tool, "list").text
    #expect(text.contains("one") && text.contains("two"))
  }

  @Test("list maps servers to users, and knows nothing of other items")
  func list() throws {
    let tool = try Tool.withVault()
    #expect(try helper(tool, "list").text == "{}\n")
    try store(tool, Self.server, "alice", "1")
    try store(tool, "reg.example.com:5000", "bob\"", "2")
    try tool.store("x", "git:https://h", "u")
    let listed = try helper(tool, "list")
    #expect(listed.exitCode == 0)
    #expect(
      try listed.json() as? [String: String] == [
        Self.server: "alice", "reg.example.com:5000": "bob\"",
      ]
    )
  }

  @Test("case 86: erase removes the server, and is content where there is none")
  func erase() throws {
    let tool = try Tool.withVault()
    try store(tool, Self.server, "alice", "1")
    try store(tool, "other", "alice", "2")
    for _ in 0..<2 {
      let outcome = try helper(tool, "erase", Self.server)
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.isEmpty)
    }
    #expect(try helper(tool, "list").text == "{\"other\":\"alice\"}\n")
  }

  @Test(
    "what is wrong is told on standard output, with 1",
    arguments: [
      (
        "store", #"{"ServerURL":"","Username":"u","Secret":"s3cret"}"#,
        "no credentials server URL\n"
      ),
      ("store", #"{"Username":"u","Secret":"s3cret"}"#, "no credentials server URL\n"),
      ("store", #"{"ServerURL":"a","Username":"","Secret":"s3cret"}"#, "no credentials username\n"),
      ("store", #"{"ServerURL":"a","Secret":"s3cret"}"#, "no credentials username\n"),
      ("get", " \n", "no credentials server URL\n"), ("erase", "", "no credentials server URL\n"),
      ("store", "", nil), ("store", "[]", nil), ("store", "s3cret", nil),
      ("store", #"{"ServerURL":"a","Username":"u","Secret":"s3cret""#, nil),
      ("store", #"{"ServerURL":"a","Username":"u","Secret":["s3cret"]}"#, nil),
      ("store", #"{"ServerURL":"a","Username":"u","Secret":"\ud800s3cret"}"#, nil),
      ("forget", "", nil),
    ]
  )
  func failures(verb: String, input: String, text: String?) throws {
    let tool = try Tool.withVault()
    let outcome = try helper(tool, verb, input)
    #expect(outcome.exitCode == 1)
    if let text { #expect(outcome.text == text) }
    #expect(outcome.text.hasSuffix("\n") && !outcome.text.contains("s3cret"))
    #expect(outcome.errors.isEmpty)
    #expect(try tool.run("list").output.isEmpty)
  }

  @Test("a secret that is no UTF-8 is refused, not repaired")
  func noText() throws {
    let tool = try Tool.withVault()
    try tool.store([0xFF, 0x41], "docker:" + Self.server, "u")
    let outcome = try helper(tool, "get", Self.server)
    #expect(outcome.exitCode == 1)
    #expect(outcome.text.contains("no UTF-8"))
  }

  @Test("what has expired is not known, until docker stores it anew")
  func expired() throws {
    let tool = try Tool.withVault()
    try store(tool, Self.server, "u", "1")
    let edit = try tool.run("edit", "docker:" + Self.server, "u", "--expires", "2001-01-01")
    #expect(edit.exitCode == 0)
    #expect(
      try helper(tool, "get", Self.server).text == "credentials not found in native keychain\n"
    )
    #expect(try helper(tool, "list").text == "{}\n")
    try store(tool, Self.server, "u", "1")
    #expect(try helper(tool, "get", Self.server).exitCode == 0)
  }

  @Test("while locked every verb fails with a text on standard output, and nothing changes")
  func locked() throws {
    let tool = try Tool.withVault()
    try store(tool, Self.server, "alice", "1")
    let key = tool.home.path("key")
    #expect(try tool.run("unlock", "--key-file", key).exitCode == 0)
    #expect(try tool.run("lock").exitCode == 0)
    let credential = #"{"ServerURL":"https://index.docker.io/v1/","Username":"bob","Secret":"x"}"#
    for (verb, input) in [
      ("get", Self.server), ("erase", Self.server), ("list", ""), ("store", credential),
    ] {
      let outcome = try helper(tool.withoutCredential, verb, input)
      #expect(outcome.exitCode == 1)
      #expect(outcome.text.contains("locked"), "\(verb)")
      #expect(outcome.errors.isEmpty)
    }
    #expect(try helper(tool, "list").text == "{\"\(Self.server)\":\"alice\"}\n")
  }

  @Test("without anything that opens the vault the text says so")
  func noCredential() throws {
    let tool = try Tool.withVault()
    let outcome = try helper(tool.withoutCredential, "get", Self.server)
    #expect(outcome.exitCode == 1)
    #expect(outcome.text.hasPrefix("a passphrase or key is needed"))
  }

  @Test("version names the helper and the version of the tool")
  func version() throws {
    let outcome = try helper(try Tool(), "version")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.text.wholeMatch(of: /docker-credential-secretvault \(secretvault\) [0-9.]+\n/) != nil
    )
  }
}
