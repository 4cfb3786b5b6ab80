import Glibc
import SecretVault
import TestSupport
import Testing

/// Real users of one Unix group, and root, who write to one vault.
@Suite(
  "A vault that a Unix group shares, between users",
  .enabled(if: UnixGroupFolder.isUsable, "only root can run programs as other users")
)
struct GroupProcessTests {
  private typealias Folder = UnixGroupFolder

  private let shared: UnixGroupFolder

  init() throws { shared = try .withVault() }

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
}
