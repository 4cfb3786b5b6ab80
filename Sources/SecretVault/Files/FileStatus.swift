import Glibc

/// What the system says of a name, without following a link.
struct FileStatus {
  private let status: stat

  /// Reads the status of a name in a folder, or returns `nil` where there is no such name.
  static func of(_ name: String, in folder: FileDescriptor) throws(VaultError) -> FileStatus? {
    var status = stat()
    guard unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw VaultError.fromErrno(errno)
    }
    return FileStatus(status: status)
  }

  /// Reads the status of an open file.
  static func of(_ descriptor: FileDescriptor) throws(VaultError) -> FileStatus {
    var status = stat()
    guard unsafe fstat(descriptor.number, &status) == 0 else { throw VaultError.fromErrno(errno) }
    return FileStatus(status: status)
  }

  private init(status: stat) {
    self.status = status
  }

  var isRegularFile: Bool { status.st_mode & S_IFMT == S_IFREG }
  var isSymbolicLink: Bool { status.st_mode & S_IFMT == S_IFLNK }
  var owner: uid_t { status.st_uid }
  var group: gid_t { status.st_gid }
  var permissions: mode_t { status.st_mode & 0o7777 }
  var linkCount: UInt64 { UInt64(status.st_nlink) }
  var byteCount: Int { Int(status.st_size) }
  var identity: FileIdentity { FileIdentity(device: status.st_dev, inode: status.st_ino) }
}

/// What tells one file from another that took its name.
struct FileIdentity: Hashable, Sendable {
  let device: dev_t
  let inode: ino_t
}

extension VaultError {
  /// Says what an error number of the system means for a vault.
  static func fromErrno(_ number: Int32) -> VaultError {
    switch number {
    case EACCES, EPERM:
      VaultError(.insecureFile, "the system denies access; check owner and mode of file and folder")
    // A socket cannot be opened at all.
    case ENXIO: VaultError(.insecureFile, "this is no regular file; name the real file")
    case EEXIST: VaultError(.vaultExists)
    case ENAMETOOLONG: VaultError(.invalidArgument, "the name or the path is too long; shorten it")
    case EROFS: VaultError(.readOnly)
    case ENOSPC, EDQUOT: VaultError(.full)
    case ELOOP:
      VaultError(.insecureFile, "a symbolic link is in the way; name the real file and folder")
    default: VaultError(.inputOutput)
    }
  }
}
