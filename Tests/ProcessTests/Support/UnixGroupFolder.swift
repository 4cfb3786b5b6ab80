import Foundation
import Glibc
import SecretVault
import TestSupport
import Testing

/// Users of numbers that nobody has, each with a home of their own, and a folder that the first owns and that is
/// shared by the Unix group of two of them.
final class UnixGroupFolder: Sendable {
  /// A user by number; the groups are those beside the user's own, which has the same number.
  struct User: Sendable {
    let number: uid_t
    let groups: [gid_t]

    fileprivate var name: String { "user\(number)" }
  }

  static let group: gid_t = 61_100
  static let first = User(number: 61_001, groups: [group])
  static let second = User(number: 61_002, groups: [group])
  static let stranger = User(number: 61_003, groups: [])

  let folder: TemporaryFolder

  private static let programFolder = URL(fileURLWithPath: "/proc/self/exe")
    .resolvingSymlinksInPath().deletingLastPathComponent()

  /// Whether this process can run the programs as other users.
  static let isUsable: Bool = {
    guard geteuid() == 0 else { return false }
    let probe = request(of: stranger, "/usr/bin/test", ["-x", program("secretvault")], [:])
    return (try? probe.run().exitCode) == 0
  }()

  /// Makes the homes and the folder, and no vault.
  init() throws {
    folder = try TemporaryFolder()
    guard unsafe chmod(folder.path, 0o711) == 0 else { throw UnexpectedEnd(description: "chmod") }
    for user in [Self.first, Self.second, Self.stranger] {
      try make(user.name, user.number, user.number, 0o700)
    }
    try make("shared", Self.first.number, Self.group, 0o2770)
  }

  /// Makes the folder, and the vault as the first user, who gives the second a key file of their own.
  static func withVault() throws -> UnixGroupFolder {
    let shared = try UnixGroupFolder()
    let key = shared.home(of: Self.first, "key")
    try shared.tool(Self.first, key: "none", "init", "--generate-key-file", key).runToSuccess()
    let second = shared.home(of: Self.first, "second")
    try shared.tool(Self.first, "slot", "add", "--generate-key-file", second).runToSuccess()
    try FileManager.default.moveItem(
      atPath: second,
      toPath: shared.home(of: Self.second, "key")
    )
    try #require(
      unsafe chown(shared.home(of: Self.second, "key"), Self.second.number, 61_002) == 0
    )
    return shared
  }

  var path: String { folder.path("shared/test.vault") }

  /// The path of a file in the home of a user.
  func home(of user: User, _ name: String) -> String { folder.path(user.name + "/" + name) }

  private func make(_ name: String, _ owner: uid_t, _ group: gid_t, _ mode: mode_t) throws {
    let path = folder.path(name)
    guard unsafe mkdir(path, 0o700) == 0, unsafe chown(path, owner, group) == 0,
      unsafe chmod(path, mode) == 0
    else { throw UnexpectedEnd(description: "the folder \(name) could not be made") }
  }

  /// Gives a file in the first user's home to another user, in whose home it then is.
  func give(_ name: String, to user: User) throws {
    let target = home(of: user, name)
    try FileManager.default.moveItem(atPath: home(of: Self.first, name), toPath: target)
    guard unsafe chown(target, user.number, user.number) == 0 else {
      throw UnexpectedEnd(description: "the file \(name) could not be given away")
    }
  }

  /// Describes a run of the tool by a user, with the key file of that name.
  func tool(
    _ user: User,
    key: String = "key",
    namesGroup: Bool = true,
    _ words: String...,
    input: ChildProcess.Stream = .pipe
  ) -> ChildProcess.Request {
    var request = Self.request(
      of: user,
      Self.program("secretvault"),
      words,
      variables(user, key: key, namesGroup: namesGroup)
    )
    request.input = input
    return request
  }

  /// Describes a run of the worker by a user.
  func worker(_ user: User, _ verb: String, _ words: String...) -> ChildProcess.Request {
    let paths = [path, home(of: user, "state"), home(of: user, "key")]
    return Self.request(
      of: user,
      Self.program("VaultWorker"),
      [verb] + paths + words,
      variables(user, key: "key", namesGroup: true)
    )
  }

  /// Describes a run of any program by a user.
  func program(_ user: User, _ path: String, _ words: String...) -> ChildProcess.Request {
    Self.request(of: user, path, words, [:])
  }

  private func variables(_ user: User, key: String, namesGroup: Bool) -> [String: String] {
    var variables = [
      "HOME": home(of: user, ""),
      "XDG_RUNTIME_DIR": home(of: user, ""),
      "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
      "SECRETVAULT_PATH": path,
      "SECRETVAULT_STATE": home(of: user, "state"),
      "SECRETVAULT_KEY_FILE": home(of: user, key),
    ]
    if namesGroup { variables["SECRETVAULT_SHARED_WITH"] = String(Self.group) }
    return variables
  }

  private static func program(_ name: String) -> String {
    programFolder.appendingPathComponent(name).path
  }

  private static func request(
    of user: User,
    _ program: String,
    _ words: [String],
    _ variables: [String: String]
  ) -> ChildProcess.Request {
    let groups = user.groups.isEmpty ? ["--clear-groups"] : ["--groups", "\(user.groups[0])"]
    let numbers = ["--reuid", "\(user.number)", "--regid", "\(user.number)"]
    return ChildProcess.Request(
      executable: program,
      arguments: words.map { Array($0.utf8) },
      environment: variables
    )
    .started(by: "/usr/bin/setpriv", numbers + groups)
  }
}
