import Glibc
import TestSupport

/// A small file system in memory, unmounted when the last reference goes.
final class SmallFileSystem: Sendable {
  let path: String

  /// Whether this process may mount file systems.
  static let isUsable: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? SmallFileSystem(at: folder.path("trial"))) != nil
  }()

  init(at path: String, kibibytes: Int = 32) throws {
    self.path = path
    unsafe mkdir(path, 0o700)
    let options = "size=\(kibibytes)k,mode=700"
    try Self.run("/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", path)
  }

  deinit { try? Self.run("/bin/umount", path) }

  /// Leaves no byte free.
  func fill() throws {
    try? Self.run("/bin/dd", "if=/dev/zero", "of=\(path)/filler", "bs=4k", "count=64")
  }

  /// Takes back what ``fill()`` did.
  func makeRoom() throws { try Self.run("/bin/rm", path + "/filler") }

  func becomeReadOnly() throws { try Self.run("/bin/mount", "-o", "remount,ro", path) }

  private static func run(_ program: String, _ words: String...) throws {
    try ChildProcess.Request(
      executable: program,
      arguments: words.map { Array($0.utf8) },
      environment: [:]
    )
    .runToSuccess()
  }
}
