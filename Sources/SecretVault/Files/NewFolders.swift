import Glibc

/// A folder for the vault that a Unix group shares.
enum SharedFolder {
  /// Makes a folder with the group and mode 2770, so that what is made in it has the group too; an existing one is left
  /// as it is.
  ///
  /// - Throws: ``VaultError``: `insecureFile` for a group that the user does not belong to, `inputOutput` where the
  ///   folder above is missing: which of those should be open to the group is for its owner to say.
  static func make(_ path: String, _ group: UnixGroup) throws(VaultError) {
    guard unsafe mkdir(path, 0o700) == 0 else {
      if errno == EEXIST { return }
      if errno == ENOENT {
        throw VaultError(
          .inputOutput,
          "the folder above is missing; make it first, so that the group can reach it"
        )
      }
      throw VaultError.fromErrno(errno)
    }
    do throws(VaultError) {
      guard let folder = try FileDescriptor.folder(path) else { throw VaultError(.inputOutput) }
      guard fchown(folder.number, uid_t.max, group.number) == 0,
        fchmod(folder.number, 0o2770) == 0
      else { throw VaultError.fromErrno(errno) }
      try FileDescriptor.synchronizeName(path)
    } catch {
      unsafe rmdir(path)
      throw error
    }
  }
}

/// Folders that are private to the user.
enum PrivateFolder {
  /// Makes a folder and those above it, durably and each with mode 0700; existing ones are left as they are.
  static func make(_ path: String) throws(VaultError) {
    if try makeLast(of: path) { return }
    // Not by characters: a mark that combines with the slash would hide it.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else {
      throw VaultError.fromErrno(ENOENT)
    }
    try make(String(path[..<slash]))
    guard try makeLast(of: path) else { throw VaultError.fromErrno(ENOENT) }
  }

  /// Makes one folder; returns false where the one above is missing.
  private static func makeLast(of path: String) throws(VaultError) -> Bool {
    if unsafe mkdir(path, 0o700) == 0 {
      try FileDescriptor.synchronizeName(path)
      return true
    }
    switch errno {
    case EEXIST: return true
    case ENOENT: return false
    default: throw VaultError.fromErrno(errno)
    }
  }
}
