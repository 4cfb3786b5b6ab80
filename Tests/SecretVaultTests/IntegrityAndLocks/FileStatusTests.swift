import Glibc
import TestSupport
import Testing

@testable import SecretVault

/// What the store asks the system of files, in place of what stat(2) tells.
@Suite("The status of files")
struct FileStatusTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("five!", to: "file", mode: 0o640)
    try #require(unsafe link(folder.path("file"), folder.path("hard link")) == 0)
    try #require(unsafe symlink("file", folder.path("symbolic link")) == 0)
    try #require(unsafe mkdir(folder.path("folder"), 0o700) == 0)
    try #require(unsafe chmod(folder.path("folder"), 0o2770) == 0)
    try #require(unsafe mkfifo(folder.path("pipe"), 0o600) == 0)
  }

  @Test(
    "a name is what lstat(2) says of it, and an open file what fstat(2) says",
    arguments: ["file", "hard link", "symbolic link", "folder", "pipe"]
  )
  func name(_ name: String) throws {
    let parent = try #require(try FileDescriptor.folder(folder.path))
    var expected = stat()
    try #require(unsafe lstat(folder.path(name), &expected) == 0)
    try expect(#require(try FileStatus.of(name, in: parent)), equals: expected)
    guard name != "symbolic link" else { return }
    let file = try #require(try FileDescriptor.file(name, in: parent, flags: O_RDONLY | O_NONBLOCK))
    try #require(unsafe fstat(file.number, &expected) == 0)
    try expect(FileStatus.of(file), equals: expected)
  }

  private func expect(_ status: FileStatus, equals expected: stat) {
    #expect(status.isRegularFile == (expected.st_mode & S_IFMT == S_IFREG))
    #expect(status.permissions == expected.st_mode & 0o7777)
    #expect(status.owner == expected.st_uid)
    #expect(status.group == expected.st_gid)
    #expect(status.linkCount == UInt64(expected.st_nlink))
    #expect(status.byteCount == Int(expected.st_size))
    #expect(status.identity.inode == UInt64(expected.st_ino))
  }

  @Test("files of one device agree in it, and files of two do not")
  func devices() throws {
    let root = try FileStatus.of(#require(try FileDescriptor.folder("/")))
    let processes = try #require(try FileDescriptor.folder("/proc"))
    let one = try #require(try FileStatus.of("self", in: processes))
    #expect(try FileStatus.of(processes).identity.device == one.identity.device)
    #expect(root.identity.device != one.identity.device)
  }

  @Test("a missing name, and one below a file, have none")
  func missing() throws {
    let parent = try #require(try FileDescriptor.folder(folder.path))
    #expect(try FileStatus.of("nothing", in: parent) == nil)
    #expect(try FileStatus.of("file/below", in: parent) == nil)
  }
}
