import Foundation
import Glibc
import SecretVault
import Testing
import VaultFormat

@Suite("Who may reach the files of a vault", .timeLimit(.minutes(1)))
struct FileRulesTests {
  private let vault: TemporaryVault

  /// A vault with one item, closed, whose key file lies beside it.
  init() throws {
    vault = try TemporaryVault()
    try vault.keyFile.write(toNewPrivateFile: vault.folder + "/key")
    let store = try vault.create()
    try store.write(1, "base")
    try store.closeDrained()
  }

  /// The files that a vault needs.
  enum Part: CaseIterable {
    case vault
    case log
    case writeLock
    case keyFile
    case deviceKey
    case groupAnchor
    case pathTable
  }

  private func path(of part: Part) throws -> String {
    switch part {
    case .vault: return vault.path
    case .log: return vault.path + "-wal"
    case .writeLock: return vault.path + ".lock"
    case .keyFile: return vault.folder + "/key"
    case .deviceKey: return vault.statePath + "/device.key"
    case .pathTable: return vault.statePath + "/anchors/paths"
    case .groupAnchor:
      let keys = try DerivedKeys(vault)
      return "\(vault.statePath)/anchors/\(keys.vaultID.hex)-\(keys.groupID.hex)"
    }
  }

  /// Uses every file: opens the vault with the key file, and writes.
  private func use(allowsForeignOwner: Bool = false) throws {
    var options = vault.options
    options.allowsForeignOwner = allowsForeignOwner
    let path = vault.folder + "/key"
    let provider = AlwaysUnlocked {
      try Credential.keyFile(at: path, allowsForeignOwner: allowsForeignOwner)
    }
    let store = try SecretStore.open(at: vault.path, lockState: provider, options: options)
    try store.write(1, "later")
    store.close()
  }

  /// Types the command that a message gives.
  private static func followAdvice(of error: VaultError?) throws {
    let message = try #require(error?.message)
    let command = try #require(message.range(of: "run: ")).upperBound
    #expect(unsafe system(String(message[command...])) == 0)
  }

  @Test(
    "F-1: a state folder that others can look into is refused, with the command that repairs it",
    arguments: ["", "/anchors"]
  )
  func openStateFolder(_ subfolder: String) throws {
    let path = vault.statePath + subfolder
    #expect(unsafe chmod(path, 0o755) == 0)
    let error = #expect(throws: VaultError(.insecureFile)) { try use() }
    try Self.followAdvice(of: error)
    #expect(throws: Never.self) { try use() }
  }

  @Test(
    "F-1: a file that is open to others is refused, with the command that repairs it",
    arguments: Part.allCases,
    [0o644, 0o660, 0o620, 0o602] as [mode_t]
  )
  func openFile(_ part: Part, _ mode: mode_t) throws {
    let path = try path(of: part)
    #expect(unsafe chmod(path, mode) == 0)
    let error = #expect(throws: VaultError(.insecureFile)) { try use() }
    #expect(error?.message.contains("chmod 600") == true)
    try Self.followAdvice(of: error)
    #expect(throws: Never.self) { try use() }
  }

  @Test("F-1: a folder open to others is refused", arguments: [0o770, 0o707, 0o720] as [mode_t])
  func openFolder(_ mode: mode_t) throws {
    #expect(unsafe chmod(vault.folder, mode) == 0)
    let error = #expect(throws: VaultError(.insecureFile)) { try use() }
    #expect(error?.message.contains("chmod go-w") == true)
    try Self.followAdvice(of: error)
    #expect(throws: Never.self) { try use() }
  }

  @Test("F-1: a folder that is everybody's is refused too, and nobody is told to close it")
  func sharedByAll() throws {
    #expect(unsafe chmod(vault.folder, 0o1777) == 0)
    let error = #expect(throws: VaultError(.insecureFile)) { try use() }
    #expect(error?.message.contains("folder of your own") == true)
    #expect(error?.message.contains("chmod") == false)
  }

  @Test(
    "F-1: a state folder that others can look into is refused",
    arguments: ["", "/anchors"],
    [0o755, 0o710, 0o701] as [mode_t]
  )
  func openStateFolder(_ subfolder: String, _ mode: mode_t) throws {
    #expect(unsafe chmod(vault.statePath + subfolder, mode) == 0)
    #expect(throws: VaultError(.insecureFile)) { try use() }
  }

  @Test(
    "F-1: a file of another user is refused, and accepted only by the flag",
    .enabled(if: geteuid() == 0, "only root can give files away"),
    arguments: Part.allCases
  )
  func foreignFile(_ part: Part) throws {
    #expect(unsafe chown(try path(of: part), 65_534, 65_534) == 0)
    #expect(throws: VaultError(.insecureFile)) { try use() }
    #expect(throws: Never.self) { try use(allowsForeignOwner: true) }
  }

  /// What can stand where a file is expected.
  enum Impostor: CaseIterable {
    case link
    case danglingLink
    case hardLink
    case folder
    case pipe
    case socket
  }

  @Test(
    "F-2: what is no plain file of one name is refused, and never waited for",
    arguments: [Part.vault, .log, .writeLock, .keyFile, .deviceKey],
    Impostor.allCases
  )
  func impostor(_ part: Part, _ kind: Impostor) throws {
    let path = try path(of: part)
    let aside = vault.folder + "/aside"
    if kind == .hardLink {
      #expect(unsafe link(path, aside) == 0)
    } else {
      #expect(unsafe rename(path, aside) == 0)
    }
    switch kind {
    case .link: #expect(unsafe symlink(aside, path) == 0)
    case .danglingLink: #expect(unsafe symlink(vault.folder + "/nothing", path) == 0)
    case .hardLink: break
    case .folder: #expect(unsafe mkdir(path, 0o700) == 0)
    case .pipe: #expect(unsafe mkfifo(path, 0o600) == 0)
    case .socket: try makeSocket(path)
    }
    #expect(throws: VaultError(.insecureFile)) { try use() }
    #expect(!FileManager.default.fileExists(atPath: vault.folder + "/nothing"))
  }

  @Test("F-2: a device is refused", .enabled(if: geteuid() == 0, "only root can make devices"))
  func device() throws {
    #expect(unsafe unlink(vault.path) == 0)
    // Major 1, minor 3: /dev/null.
    try #require(unsafe mknod(vault.path, S_IFCHR | 0o600, 0x103) == 0)
    #expect(throws: VaultError(.insecureFile)) { try use() }
  }

  @Test("F-2: a folder that is a link is refused")
  func linkedFolder() throws {
    let link = vault.folder + "/link"
    #expect(unsafe symlink(vault.folder, link) == 0)
    #expect(throws: VaultError(.insecureFile)) {
      try SecretStore.open(at: link + "/test.vault", options: vault.options)
    }
  }

  private func makeSocket(_ path: String) throws {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    // The address has room for some hundred bytes, and the folder of a test may be deeper.
    let folder = unsafe open(vault.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array("/proc/self/fd/\(folder)/bound".utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let result = unsafe withUnsafePointer(to: address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    #expect(unsafe rename(vault.folder + "/bound", path) == 0)
  }
}
