import Glibc

/// The rules for the files of a vault that a Unix group shares.
///
/// The folder and every file of the vault have that group, its members may do what the owner may, and nobody else
/// anything. Who of the members owns a file says no more than who made it, so the owner is not looked at: a file
/// gets the group only from one of its members, or from root.
extension FileRules {
  /// The mode that a file of the vault is made with, whatever the umask is.
  var fileMode: mode_t { sharedWith == nil ? 0o600 : 0o660 }

  /// The rules for what stays private to a user who shares a vault: state, key files.
  var ofPrivateFiles: FileRules { FileRules(allowsForeignOwner: allowsForeignOwner) }

  func checkSharedFolder(
    _ status: FileStatus,
    at path: @autoclosure () -> String,
    _ group: UnixGroup
  ) throws(VaultError) {
    guard status.group == group.number, status.permissions & S_ISGID != 0, status.isSharedAlone
    else {
      let folder = ShellWord.of(path(), "FOLDER")
      throw VaultError(
        .insecureFile,
        "the folder is not as a vault that is shared needs it (mode \(octal(status.permissions)));"
          + " run: chgrp \(group.number) \(folder) && chmod 2770 \(folder), or leave out --shared-with"
      )
    }
  }

  func checkSharedFile(
    _ status: FileStatus,
    _ what: String,
    at path: @autoclosure () -> String,
    _ group: UnixGroup
  ) throws(VaultError) {
    guard status.group == group.number, status.isSharedAlone else {
      let file = ShellWord.of(path(), "FILE")
      throw VaultError(
        .insecureFile,
        "the \(what) is not as a vault that is shared needs it (mode \(octal(status.permissions)));"
          + " run: chgrp \(group.number) \(file) && chmod 660 \(file), or leave out --shared-with"
      )
    }
  }

  /// Throws where a folder was made for a vault that is shared, and nobody has named the group.
  func requireUnshared(
    _ status: FileStatus,
    at path: @autoclosure () -> String
  ) throws(VaultError) {
    guard status.permissions & 0o2070 == 0o2070, status.isSharedAlone else { return }
    throw VaultError(
      .insecureFile,
      "a Unix group shares the folder (mode \(octal(status.permissions)));"
        + " name the group with --shared-with, or run: chmod 700 \(ShellWord.of(path(), "FOLDER"))"
    )
  }
}

extension FileStatus {
  /// Whether the group may do what the owner may, and others nothing.
  fileprivate var isSharedAlone: Bool {
    permissions & 0o007 == 0 && permissions >> 3 & 0o7 == permissions >> 6 & 0o7
  }
}
