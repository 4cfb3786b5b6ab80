import Glibc
package import SecretVault

/// The folder of the user in which the agent's socket and its lock are.
package struct RuntimeFolder: Sendable {
  /// The absolute path.
  package let path: String

  /// The path of the agent's socket.
  package var socketPath: String { path + "/agent.sock" }

  /// The path of the file that the living agent has locked.
  package var lockPath: String { path + "/agent.lock" }

  /// The folder if it is there.
  ///
  /// - Throws: `VaultError` with the code `insecureFile` where something else stands in its place.
  package static func existing() throws(VaultError) -> RuntimeFolder? {
    let path = standardPath
    return try check(path) ? RuntimeFolder(path: path) : nil
  }

  /// The folder, made with mode 0700 where it is missing.
  ///
  /// - Throws: `VaultError`: `insecureFile` where something else stands in its place, `inputOutput` where it
  ///   cannot be made.
  package static func make() throws(VaultError) -> RuntimeFolder {
    let path = standardPath
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST, try check(path) else {
      throw VaultError(
        .inputOutput,
        "the folder of the agent's socket cannot be made; set XDG_RUNTIME_DIR"
      )
    }
    return RuntimeFolder(path: path)
  }

  /// `$XDG_RUNTIME_DIR/secretvault` if that variable names a folder of the user's own (XDG Base Directory
  /// Specification), else a folder in `/tmp` that is named by the user's number.
  package static var standardPath: String {
    if let variable = unsafe getenv("XDG_RUNTIME_DIR"),
      let folder = unsafe String(validatingCString: variable), folder.hasPrefix("/"),
      let status = status(of: folder), status.st_uid == geteuid(), isFolder(status)
    {
      return folder + "/secretvault"
    }
    return "/tmp/secretvault-\(geteuid())"
  }

  private static func check(_ path: String) throws(VaultError) -> Bool {
    guard let status = status(of: path) else { return false }
    guard isFolder(status), status.st_uid == geteuid(), status.st_mode & 0o7777 == 0o700 else {
      throw VaultError(
        .insecureFile,
        "the folder of the agent's socket is not private; it must be yours and have mode 0700"
      )
    }
    return true
  }

  private static func isFolder(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFDIR }

  private static func status(of path: String) -> stat? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status : nil
  }
}
