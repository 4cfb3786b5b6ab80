import CLinux
import Glibc

/// The folder with what a user's machine remembers of vaults: anchors and the device key.
struct StateFolder: Sendable {
  let path: String
  let rules: FileRules

  /// How long a lock in the folder is waited for.
  ///
  /// It is held for one small write. Whoever holds it for longer was stopped, and nobody should have to wait
  /// for that: what is not noted now is noted by the next opening.
  static let lockPatience = Duration.seconds(1)

  /// Where it is unless the caller says otherwise: `SECRETVAULT_STATE`, the first of `STATE_DIRECTORY`,
  /// `XDG_STATE_HOME/secretvault`, or `~/.local/state/secretvault`; `nil` where there is no home.
  static var standardPath: String? {
    if let path = named("SECRETVAULT_STATE") { return path }
    // A service that has several gets all of them, with colons between (systemd.exec(5)).
    if let list = named("STATE_DIRECTORY") {
      return list.utf8.split(separator: UInt8(ascii: ":")).first.map { String(Substring($0)) }
    }
    if let path = named("XDG_STATE_HOME") { return path + "/secretvault" }
    return named("HOME").map { $0 + "/.local/state/secretvault" }
  }

  private static func named(_ variable: String) -> String? {
    guard let value = Environment.value(variable), value.utf8.first == UInt8(ascii: "/")
    else { return nil }
    return value
  }

  /// Opens a folder below the state folder, making both where they are missing.
  ///
  /// - Throws: ``VaultError``: `insecureFile` where others can reach it, `inputOutput` where it cannot be made, or what
  ///   the system says.
  func open(_ subfolder: String? = nil) throws(VaultError) -> FileDescriptor {
    try Self.making { () throws(VaultError) in try PrivateFolder.make(path) }
    let full = subfolder.map { path + "/" + $0 } ?? path
    if subfolder != nil {
      // Whoever can write here can move the folder below away, and so make it forget.
      let parent = try Self.opened(path)
      try rules.checkFolder(FileStatus.of(parent), at: path)
      try Self.making { () throws(VaultError) in try PrivateFolder.make(full) }
    }
    let folder = try Self.opened(full)
    let status = try FileStatus.of(folder)
    try rules.checkFolder(status, at: full)
    guard status.permissions & 0o077 == 0 else {
      let word = ShellWord.of(full, "FOLDER")
      throw VaultError(.insecureFile, "the state folder is open to others; run: chmod 700 \(word)")
    }
    return folder
  }

  /// Opens a folder that is there; an error says that it is this one, since the path that is told with it is the vault's.
  private static func opened(_ path: String) throws(VaultError) -> FileDescriptor {
    do throws(VaultError) {
      if let folder = try FileDescriptor.folder(path) { return folder }
    } catch  where error.code == .insecureFile {
      throw VaultError(
        .insecureFile,
        "the state folder is a symbolic link or no folder; name another with --state or SECRETVAULT_STATE"
      )
    }
    throw VaultError(.inputOutput)
  }

  /// Makes something here; where the system denies it, as below the home that many services have, nothing is insecure.
  static func making<Made>(
    _ body: () throws(VaultError) -> Made
  ) throws(VaultError) -> Made {
    do throws(VaultError) {
      return try body()
    } catch  where error.code == .insecureFile {
      throw VaultError(
        .inputOutput,
        "the state folder cannot be made or written; name another with --state or SECRETVAULT_STATE"
      )
    }
  }

  /// Runs `body` while no other thread or process holds the lock file of that name.
  func withLock<Result: ~Copyable>(
    _ name: String,
    in folder: FileDescriptor,
    _ body: () throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    let flags = O_RDWR | O_CREAT
    guard let lock = try FileDescriptor.file(name, in: folder, flags: flags, mode: 0o600)
    else { throw VaultError(.inputOutput) }
    try lock.lock(until: .now + Self.lockPatience)
    defer { lock.unlock() }
    return try body()
  }

  /// Replaces a small file whole: under a temporary name, durable, then renamed.
  func replace(
    _ name: String,
    in folder: FileDescriptor,
    _ contents: Span<UInt8>
  ) throws(VaultError) {
    let temporary = name + ".new"
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    guard
      let file = try FileDescriptor.file(temporary, in: folder, flags: flags, mode: 0o600)
    else { throw VaultError(.inputOutput) }
    try rules.checkFile(FileStatus.of(file), "state file", at: path + "/anchors/" + temporary)
    try file.write(contents)
    try file.synchronize()
    guard unsafe renameat(folder.number, temporary, folder.number, name) == 0 else {
      throw VaultError.fromErrno(errno)
    }
  }
}
