import CLinux
import Glibc

/// What the system says of a name, without following a link and without asking for times.
struct FileStatus {
  private let status: secretvault_status

  /// Reads the status of a name in a folder, or returns `nil` where there is no such name.
  static func of(_ name: String, in folder: FileDescriptor) throws(VaultError) -> FileStatus? {
    var status = secretvault_status()
    let flags = AT_SYMLINK_NOFOLLOW
    guard unsafe secretvault_read_status(folder.number, name, flags, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw VaultError.fromErrno(errno)
    }
    return FileStatus(status: status)
  }

  /// Reads the status of an open file.
  static func of(_ descriptor: FileDescriptor) throws(VaultError) -> FileStatus {
    var status = secretvault_status()
    guard unsafe secretvault_read_status_of_file(descriptor.number, &status) == 0
    else { throw VaultError.fromErrno(errno) }
    return FileStatus(status: status)
  }

  private init(status: secretvault_status) {
    self.status = status
  }

  var isRegularFile: Bool { status.mode & S_IFMT == S_IFREG }
  var owner: uid_t { status.owner }
  var group: gid_t { status.group }
  var permissions: mode_t { status.mode & 0o7777 }
  var linkCount: UInt64 { UInt64(status.link_count) }
  var byteCount: Int { Int(clamping: status.byte_count) }
  var identity: FileIdentity { FileIdentity(device: status.device, inode: status.inode) }
}

/// What tells one file from another that took its name.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
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
    case EROFS:
      VaultError(.readOnly, "the file system is read-only here; use another place")
    case ENOSPC, EDQUOT: VaultError(.full)
    case ELOOP:
      VaultError(.insecureFile, "a symbolic link is in the way; name the real file and folder")
    default: VaultError(.inputOutput)
    }
  }
}
