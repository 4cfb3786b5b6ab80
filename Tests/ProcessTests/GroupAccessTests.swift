import Foundation
import Glibc
import TestSupport
import Testing

/// What real users, of one Unix group and of none, can reach of one vault.
@Suite(
  "What users reach of a vault that a Unix group shares",
  .enabled(if: UnixGroupFolder.isUsable, "only root can run programs as other users")
)
struct GroupAccessTests {
  private typealias Folder = UnixGroupFolder

  private let shared: UnixGroupFolder

  init() throws { shared = try .withVault() }

  @Test("a user of another group reaches nothing, with a key that fits")
  func stranger() throws {
    let key = shared.home(of: Folder.first, "stranger")
    try shared.tool(Folder.first, "slot", "add", "--generate-key-file", key).runToSuccess()
    try shared.give("stranger", to: Folder.stranger)
    for namesGroup in [true, false] {
      let outcome = try shared.tool(
        Folder.stranger,
        key: "stranger",
        namesGroup: namesGroup,
        "list"
      ).run()
      #expect(outcome.exitCode == 13, "\(outcome.errorText)")
    }
    let reading = try shared.program(Folder.stranger, "/bin/cat", shared.path).run()
    #expect(reading.exitCode != 0 && reading.output.isEmpty)
  }

  @Test("a member who does not name the group is refused, and told the option")
  func unnamed() throws {
    for user in [Folder.first, Folder.second] {
      let outcome = try shared.tool(user, namesGroup: false, "list").run()
      #expect(outcome.exitCode == 13)
      #expect(outcome.errorText.contains("--shared-with"))
    }
  }

  @Test("what each remembers is their own")
  func state() throws {
    for user in [Folder.first, Folder.second] {
      try shared.tool(user, "list").runToSuccess()
      let state = "user\(user.number)/state"
      for name in try FileManager.default.subpathsOfDirectory(atPath: shared.folder.path(state)) {
        var status = stat()
        #expect(unsafe lstat(shared.folder.path(state + "/" + name), &status) == 0)
        #expect(status.st_uid == user.number && status.st_mode & 0o77 == 0, "\(name)")
      }
    }
  }

  @Test("a member can put an older file back or destroy it, which the others notice")
  func withoutKey() throws {
    try shared.tool(Folder.first, "set", "one", input: .text("x")).runToSuccess()
    let copy = shared.home(of: Folder.second, "copy")
    let member = Folder.second
    try shared.program(member, "/bin/cp", shared.path, copy).runToSuccess()
    try shared.tool(Folder.first, "set", "two", input: .text("x")).runToSuccess()
    try shared.program(member, "/bin/cp", copy, shared.path).runToSuccess()
    let wal = shared.path + "-wal"
    try shared.program(member, "/usr/bin/truncate", "-s", "0", wal).runToSuccess()
    #expect(try shared.tool(Folder.first, "list").run().exitCode == 11)
    try shared.program(member, "/usr/bin/truncate", "-s", "5000", shared.path).runToSuccess()
    #expect(try shared.tool(Folder.first, "list").run().exitCode == 10)
  }

  @Test("L-5: a user with the key of one group has that group and nothing else")
  func oneGroup() throws {
    let key = shared.home(of: Folder.first, "ci")
    try shared.tool(Folder.first, "group", "create", "ci").runToSuccess()
    try shared.tool(Folder.first, "group", "share", "ci", "--generate-key-file", key).runToSuccess()
    try shared.give("ci", to: Folder.second)
    try shared.tool(Folder.first, "set", "own", input: .text("mine")).runToSuccess()
    try shared.tool(Folder.first, "set", "token", "--group=ci", input: .text("1")).runToSuccess()
    func asMember(
      _ words: String...,
      input: ChildProcess.Stream = .pipe
    ) throws
      -> ChildProcess.Outcome
    {
      var request = shared.tool(Folder.second, key: "ci", input: input)
      request.arguments += words.map { Array($0.utf8) }
      return try request.run()
    }
    #expect(try asMember("get", "token").text == "1")
    #expect(try asMember("set", "token", input: .text("2")).exitCode == 0)
    #expect(try asMember("list").text == "ci\ttoken\t\n")
    for words in [["get", "own"], ["list"], ["delete", "own"], ["show", "own"]] {
      var request = shared.tool(Folder.second, key: "ci")
      request.arguments += (words + ["--group", "default"]).map { Array($0.utf8) }
      #expect(try request.run().exitCode == 13, "\(words)")
    }
    for words in [
      ["slot", "list"], ["slot", "remove", "0"], ["group", "list"], ["group", "create", "x"],
      ["group", "share", "ci", "--generate-key-file", shared.home(of: Folder.second, "no")],
      ["slot", "add", "--generate-key-file", shared.home(of: Folder.second, "no")], ["check"],
    ] {
      var request = shared.tool(Folder.second, key: "ci")
      request.arguments += words.map { Array($0.utf8) }
      #expect(try request.run().exitCode == 13, "\(words)")
    }
    #expect(!shared.folder.has("user61002/no"))
    #expect(try shared.tool(Folder.first, "get", "token", "--group=ci").run().text == "2")
    #expect(try shared.tool(Folder.first, "get", "own").run().text == "mine")
  }
}
