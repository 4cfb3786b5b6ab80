import Foundation
import TestSupport
import Testing

/// Letters with an accent have two spellings, which Swift's strings take for equal and Linux for different names.
@Suite("spellings that Unicode takes for equal")
struct UnicodeTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test("the agent holds one of two vaults whose paths differ in the spelling, and serves no other")
  func paths() throws {
    let (tool, key) = try Tool.forAgent()
    let vaults = [Self.composed, Self.decomposed].map { tool.home.path($0) }
    for (vault, secret) in zip(vaults, ["one", "two"]) {
      _ = try tool.run("init", "--vault", vault, "--key-file", key)
      let words = ["set", "a", "--vault", vault, "--key-file", key]
      _ = try tool.start(words, input: .text(secret)).finish()
    }
    _ = try tool.run("unlock", "--vault", vaults[0], "--key-file", key)
    #expect(try tool.run("status", "--vault", vaults[1]).exitCode == 6)
    #expect(try tool.run("get", "a", "--vault", vaults[1]).exitCode == 6)
    _ = try tool.run("unlock", "--vault", vaults[1], "--key-file", key)
    #expect(try tool.run("get", "a", "--vault", vaults[0]).text == "one")
    #expect(try tool.run("get", "a", "--vault", vaults[1]).text == "two")
  }

  @Test("items of two groups whose names differ in the spelling are two in templates and exports")
  func groups() throws {
    let tool = try Tool.withVault()
    for (group, secret) in [(Self.composed, "one"), (Self.decomposed, "two")] {
      #expect(try tool.run("group", "create", group).exitCode == 0)
      try tool.store(Array(secret.utf8), "a", "--group", group)
      try tool.store(Array(secret.utf8), "b", "--group", group, "--synchronizable")
    }
    let template = "{{ secret://a?group=caf%C3%A9 }} {{ secret://a?group=cafe%CC%81 }}"
    #expect(try tool.run("inject", input: .text(template)).text == "one two")

    let json = tool.home.path("items.json")
    #expect(try tool.run("export", "--format", "json", "--out", json).exitCode == 0)
    #expect(try tool.run("import", json).exitCode == 0)

    let other = tool.home.path("other.vault")
    let key = tool.home.path("key")
    let words = ["--format", "vault", "--out", other, "--new-key-file", key]
    #expect(try tool.start(["export"] + words).finish().exitCode == 0)
    for (group, secret) in [(Self.composed, "one"), (Self.decomposed, "two")] {
      let get = ["get", "b", "--synchronizable", "--group", group, "--vault", other]
      #expect(try tool.start(get).finish().text == secret)
    }
  }

  @Test("a value that begins with an accent is a value, and no part of an unknown option's name")
  func values() throws {
    let tool = try Tool.withVault()
    let set = try tool.run("set", "a", "--label=\u{301}x", input: .text("v"))
    #expect(set.exitCode == 0)
    #expect(try tool.run("show", "a").text.contains("label: \u{301}x\n"))
    let unknown = try tool.run("get", "a", "--lable=\u{301}secret")
    #expect(unknown.exitCode == 2)
    #expect(!unknown.errorText.contains("secret\""))
  }

  @Test(
    "a file whose name begins with an accent is made in its folder, and not in the one above",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/shm"), "needs a file system there")
  )
  func files() throws {
    let tool = try Tool.withVault()
    // The folder above is in another file system, from which no file can be moved here.
    let file = "/dev/shm/\u{301}\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(try tool.run("inject", "--out", file, input: .text("text")).exitCode == 0)
    #expect(FileManager.default.contents(atPath: file) == Data("text".utf8))
  }
}
