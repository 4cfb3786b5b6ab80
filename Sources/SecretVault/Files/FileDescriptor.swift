import CLinux
import Glibc
import SecretMemory

/// An open file or folder, closed when its owner lets it go.
final class FileDescriptor: Sendable {
  let number: Int32

  private init(number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Opens a folder, without following a link in its last part.
  static func folder(_ path: String) throws(VaultError) -> FileDescriptor? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let number = unsafe secretvault_openat(AT_FDCWD, path, flags, 0)
    if number >= 0 { return FileDescriptor(number: number) }
    if errno == ENOENT { return nil }
    // O_NOFOLLOW together with O_DIRECTORY reports a link as ENOTDIR.
    throw errno == ENOTDIR
      ? VaultError(.insecureFile, "the folder is a symbolic link or no folder; name the real one")
      : VaultError.fromErrno(errno)
  }

  /// Opens a name in a folder, without following a link and without waiting for the other end of a
  /// pipe; returns `nil` where there is no such name.
  static func file(
    _ name: String,
    in folder: FileDescriptor?,
    flags: Int32,
    mode: mode_t = 0
  ) throws(VaultError) -> FileDescriptor? {
    let number = unsafe secretvault_openat(
      folder?.number ?? AT_FDCWD,
      name,
      flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
      mode
    )
    if number >= 0 { return FileDescriptor(number: number) }
    if errno == ENOENT { return nil }
    throw VaultError.fromErrno(errno)
  }

  /// Opens an account of the kernel's notes on files (inotify), or returns `nil` where a limit is reached.
  static func fileNotes() -> FileDescriptor? {
    let number = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    return number >= 0 ? FileDescriptor(number: number) : nil
  }

  /// Reads from an offset until `bytes` is full or the file ends, and returns how much was read.
  func read(into bytes: inout MutableSpan<UInt8>, at offset: Int = 0) throws(VaultError) -> Int {
    var filled = 0
    while filled < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe pread(number, start + filled, buffer.count - filled, off_t(offset + filled))
      }
      if got > 0 {
        filled += got
      } else if got == 0 {
        break
      } else if errno != EINTR {
        throw VaultError.fromErrno(errno)
      }
    }
    return filled
  }

  /// Writes all bytes at an offset.
  func write(_ bytes: Span<UInt8>, at offset: Int = 0) throws(VaultError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe pwrite(
          number,
          start + written,
          buffer.count - written,
          off_t(offset + written)
        )
      }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        throw VaultError.fromErrno(errno)
      }
    }
  }

  /// Makes what was written durable.
  func synchronize() throws(VaultError) {
    guard fsync(number) == 0 else { throw VaultError.fromErrno(errno) }
  }

  /// Makes a name durable, which the file or folder itself is without; who may not read the folder above cannot.
  static func synchronizeName(_ path: String) throws(VaultError) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    // Not `path[...slash]`: a mark that combines with the slash would come along.
    let folder = slash.map { String(path[..<$0]) + "/" } ?? ""
    // The dot, since the path of the folder may end in a link.
    guard let opened = try? file(folder + ".", in: nil, flags: O_RDONLY) else { return }
    try opened.synchronize()
  }
}
