import Glibc

/// Who may own the files of a vault, and who may reach them.
///
/// A file is the effective user's, regular, closed to everyone else, and has one name. Its folder is the
/// user's or root's and nobody else can write there, so nobody else can swap the name after the check. A vault that a
/// Unix group shares has rules of its own, below in their file.
struct FileRules {
  /// Accepts another owner, for those who know what they do.
  let allowsForeignOwner: Bool
  /// The Unix group that shares the vault, if one does.
  var sharedWith: UnixGroup?

  /// Refuses a process that runs with another user's rights.
  func checkProcess() throws(VaultError) {
    guard getuid() == geteuid() || allowsForeignOwner else {
      throw VaultError(
        .insecureFile,
        "real and effective user differ; run it as one user, or with --allow-foreign-owner"
      )
    }
  }

  /// Checks the folder of a vault, or of its state; the message names its path in the command that repairs it.
  func checkFolder(
    _ status: FileStatus,
    at path: @autoclosure () -> String
  ) throws(VaultError) {
    if let sharedWith { return try checkSharedFolder(status, at: path(), sharedWith) }
    try requireUnshared(status, at: path())
    guard status.owner == geteuid() || status.owner == 0 || allowsForeignOwner else {
      throw VaultError(
        .insecureFile,
        "the folder belongs to another user; run: chown \(geteuid()) \(ShellWord.of(path(), "FOLDER"))"
      )
    }
    guard status.permissions & 0o022 == 0 else {
      // A folder such as /tmp is everybody's on purpose, and closing it would harm others.
      let isEverybodys = status.permissions & S_ISVTX != 0
      let remedy =
        isEverybodys
        ? "use a folder of your own" : "run: chmod go-w \(ShellWord.of(path(), "FOLDER"))"
      throw VaultError(
        .insecureFile,
        "others can write to the folder (mode \(octal(status.permissions))); \(remedy)"
      )
    }
  }

  /// Checks a file of a vault; `what` names its part in the message, and the path stands in the command there.
  func checkFile(
    _ status: FileStatus,
    _ what: String,
    at path: @autoclosure () -> String
  ) throws(VaultError) {
    guard status.isRegularFile else {
      throw VaultError(
        .insecureFile,
        "the \(what) is a link or no regular file; name the real file"
      )
    }
    guard status.linkCount == 1 else {
      throw VaultError(.insecureFile, "the \(what) has a second name; remove the other hard link")
    }
    if let sharedWith { return try checkSharedFile(status, what, at: path(), sharedWith) }
    guard status.owner == geteuid() || allowsForeignOwner else {
      throw VaultError(
        .insecureFile,
        "the \(what) belongs to another user; run: chown \(geteuid()) \(ShellWord.of(path(), "FILE")),"
          + " or use --allow-foreign-owner"
      )
    }
    guard status.permissions & 0o077 == 0 else {
      throw VaultError(
        .insecureFile,
        "the \(what) is open to others (mode \(octal(status.permissions)));"
          + " run: chmod 600 \(ShellWord.of(path(), "FILE"))"
      )
    }
  }

  /// Checks a file that a service manager made for this service (systemd.exec(5), `LoadCredential=`).
  ///
  /// It is root's or the user's, and nobody else can read it. The manager lets the user of a service read a file of
  /// root through an access control list, which shows in the group's place of the mode.
  func checkCredential(_ status: FileStatus, at path: String) throws(VaultError) {
    guard status.isRegularFile, status.linkCount == 1 else {
      throw VaultError(.insecureFile, "the credential is a link or no regular file; make it anew")
    }
    guard status.owner == geteuid() || status.owner == 0 || allowsForeignOwner else {
      throw VaultError(.insecureFile, "the credential belongs to another user; make it anew")
    }
    let isAsMade = status.permissions == 0o400 || status.permissions == 0o440
    guard isAsMade || (status.owner == geteuid() && status.permissions & 0o077 == 0) else {
      throw VaultError(
        .insecureFile,
        "the credential is open to others (mode \(octal(status.permissions)));"
          + " run: chmod 400 \(ShellWord.of(path, "FILE"))"
      )
    }
  }

  func octal(_ mode: mode_t) -> String {
    "0" + String(mode, radix: 8)
  }
}
