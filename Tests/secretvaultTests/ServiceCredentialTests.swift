import Foundation
import TestSupport
import Testing

/// What is needed to make a credential as systemd does for a service of another user; no systemd runs here.
private enum ServiceUser {
  static let number: uid_t = 54_321
  static let setfacl = "/usr/bin/setfacl"
  static let setpriv = "/usr/bin/setpriv"

  static var canBePlayed: Bool {
    geteuid() == 0
      && [setfacl, setpriv].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

@Suite("the credentials of a service", .enabled(if: ServiceUser.canBePlayed, "needs root and acl"))
struct ServiceCredentialTests {
  /// The tool as a service's user, with a vault of that user, and a folder of credentials of root.
  private struct Service {
    let tool: Tool
    let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
      tool = try Tool.withVault()
      folder = try TemporaryFolder(shortNameStartingWith: "sv-creds")
      let key = try #require(tool.home.contents(of: "key"))
      try folder.write(key, to: "secretvault.key", mode: 0o400)
      var environment = tool.withoutCredential.environment
      environment["CREDENTIALS_DIRECTORY"] = folder.path
      environment["XDG_RUNTIME_DIR"] = nil
      self.environment = environment
      try Self.run("/bin/chown", "-R", "\(ServiceUser.number)", tool.home.path)
      try Self.run(ServiceUser.setfacl, "-m", "u:\(ServiceUser.number):rx", folder.path)
    }

    @discardableResult
    static func run(_ words: String...) throws -> ChildProcess.Outcome {
      let request = ChildProcess.Request(
        executable: words[0],
        arguments: words.dropFirst().map { Array($0.utf8) },
        environment: [:]
      )
      let outcome = try ChildProcess(request).finish()
      if outcome.exitCode != 0 { throw SetupFailure(description: outcome.errorText) }
      return outcome
    }

    /// Lets the service's user read the key, as systemd does.
    func permit(mode: Int) throws {
      let path = folder.path("secretvault.key")
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      try Self.run(ServiceUser.setfacl, "-m", "u:\(ServiceUser.number):r", path)
    }

    /// The exit code of `list` of the service's user.
    func list() throws -> Int32? {
      let words = ["--reuid", "\(ServiceUser.number)", "--regid", "54321", "--clear-groups"]
      let request = ChildProcess.Request(
        executable: ServiceUser.setpriv,
        arguments: (words + [Tool.executable, "list"]).map { Array($0.utf8) },
        environment: environment
      )
      return try ChildProcess(request).finish().exitCode
    }
  }

  @Test(
    "a file of root that an access control list opens to the service's user is taken, mode 0440"
  )
  func accessControlList() throws {
    let service = try Service()
    #expect(try service.list() == 13)
    try service.permit(mode: 0o400)
    #expect(try service.folder.mode(of: "secretvault.key") == 0o440)
    #expect(try service.list() == 0)
  }

  @Test("a file of the service's own user is taken with mode 0400", arguments: [0o400, 0o440])
  func ownFile(mode: Int) throws {
    let service = try Service()
    let path = service.folder.path("secretvault.key")
    try Service.run("/bin/chown", "\(ServiceUser.number)", path)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    #expect(try service.list() == 0)
  }

  @Test(
    "a file of root that is open to others, or can be written, is 13",
    arguments: [0o444, 0o640, 0o460]
  )
  func tooOpen(mode: Int) throws {
    let service = try Service()
    try service.permit(mode: mode)
    #expect(try service.list() == 13)
  }

  @Test("a file of a third user is 13, whatever its mode")
  func thirdUser() throws {
    let service = try Service()
    try service.permit(mode: 0o400)
    try Service.run("/bin/chown", "54322", service.folder.path("secretvault.key"))
    #expect(try service.list() == 13)
  }

  @Test("the same file elsewhere is 13, also through the folder's name")
  func elsewhere() throws {
    let service = try Service()
    try service.permit(mode: 0o400)
    let inner = service.folder.path("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    try Service.run("/bin/chmod", "755", inner)
    try Service.run("/bin/mv", service.folder.path("secretvault.key"), inner + "/secretvault.key")
    try FileManager.default.createSymbolicLink(
      atPath: service.folder.path("secretvault.key"),
      withDestinationPath: "inner/secretvault.key"
    )
    #expect(try service.list() == 13)
  }
}
