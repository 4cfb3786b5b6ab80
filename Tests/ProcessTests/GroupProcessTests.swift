import Foundation
import Glibc
import SecretVault
import TestSupport
import Testing

/// Real users, of one Unix group and of none, at one vault.
@Suite(
  "A vault that a Unix group shares, between users",
  .enabled(if: UnixGroupFolder.isUsable, "only root can run programs as other users")
)
struct GroupProcessTests {
  private typealias Folder = UnixGroupFolder

  private let shared: UnixGroupFolder

  /// The first user makes the vault, and gives the second a key file of their own.
  init() throws {
    shared = try UnixGroupFolder()
    let key = shared.home(of: Folder.first, "key")
    try shared.tool(Folder.first, key: "none", "init", "--generate-key-file", key).runToSuccess()
    let second = shared.home(of: Folder.first, "second")
    try shared.tool(Folder.first, "slot", "add", "--generate-key-file", second).runToSuccess()
    try FileManager.default.moveItem(
      atPath: second,
      toPath: shared.home(of: Folder.second, "key")
    )
    try #require(
      unsafe chown(shared.home(of: Folder.second, "key"), Folder.second.number, 61_002) == 0
    )
  }

  private func expectSharedFiles() throws {
    let names = try shared.folder.names(in: "shared")
    #expect(names == ["test.vault", "test.vault-shm", "test.vault-wal", "test.vault.lock"])
    for name in names {
      var status = stat()
      #expect(unsafe lstat(shared.folder.path("shared/" + name), &status) == 0)
      #expect(status.st_gid == Folder.group, "\(name)")
      #expect(status.st_mode & 0o7777 == 0o660, "\(name)")
    }
  }

  @Test("two users write at the same time, and both see everything")
  func bothWrite() throws {
    let users = [Folder.first, Folder.second]
    let writers = try (0..<12).map { number in
      try ChildProcess(
        shared.tool(users[number % 2], "set", "service \(number)", input: .text("\(number)"))
      )
    }
    for writer in writers {
      let outcome = try writer.finish()
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
    for user in users {
      for number in 0..<12 {
        #expect(try shared.tool(user, "get", "service \(number)").run().text == "\(number)")
      }
      #expect(try shared.tool(user, "check").run().exitCode == 0)
    }
    try expectSharedFiles()
  }

  @Test("no addition of two users to one number is lost")
  func increments() throws {
    try shared.tool(Folder.first, "set", "counter", input: .text("0")).runToSuccess()
    let workers = try [Folder.first, Folder.second, Folder.first, Folder.second].map { user in
      try ChildProcess(shared.worker(user, "increment", "counter", "50"))
    }
    for worker in workers {
      let outcome = try worker.finish(within: .seconds(120))
      #expect(outcome.exitCode == 0, "\(outcome.text)")
    }
    for user in [Folder.first, Folder.second] {
      #expect(try shared.tool(user, "get", "counter").run().text == "200")
    }
  }

  @Test(
    "whoever of the two makes log and index anew, the other can go on",
    arguments: [true, false]
  )
  func madeAnew(byFirst: Bool) throws {
    let users = byFirst ? [Folder.first, Folder.second] : [Folder.second, Folder.first]
    for suffix in ["-wal", "-shm", ".lock"] { #expect(unsafe unlink(shared.path + suffix) == 0) }
    for (number, user) in users.enumerated() {
      try shared.tool(user, "set", "service \(number)", input: .text("x")).runToSuccess()
    }
    var status = stat()
    #expect(unsafe lstat(shared.path + "-wal", &status) == 0)
    #expect(status.st_uid == users[0].number)
    try expectSharedFiles()
  }

  @Test("root, who may do everything, leaves nothing that locks the members out")
  func root() throws {
    for suffix in ["-wal", "-shm", ".lock"] { #expect(unsafe unlink(shared.path + suffix) == 0) }
    let key = try SecretBytes(
      contentsOfPrivateFile: shared.home(of: Folder.first, "key"),
      maximumByteCount: 1024,
      allowsForeignOwner: true
    )
    var options = SecretStore.Options()
    options.stateDirectory = shared.folder.path("state-of-root")
    options.sharedWith = UnixGroup(number: Folder.group)
    let store = try SecretStore.open(at: shared.path, options: options)
    try store.unlock(with: .keyFile(contents: key))
    try store.set(SecretBytes("of root"), for: ItemIdentity(service: "root"))
    store.close()
    #expect(try shared.tool(Folder.second, "get", "root").run().text == "of root")
    try shared.tool(Folder.second, "set", "root", input: .text("x")).runToSuccess()
    try expectSharedFiles()
  }

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
