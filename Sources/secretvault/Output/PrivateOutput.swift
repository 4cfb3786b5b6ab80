import CLinux
import Glibc

/// A file for secrets in plain text: mode 0600, and under its name only when it is whole.
struct PrivateOutput {
  private let path: String
  private let replacesFile: Bool

  /// Names the file; an ordinary file of that name is replaced, or else refused.
  init(_ path: String, replacesFile: Bool) {
    self.path = path
    self.replacesFile = replacesFile
  }

  private var name: String { TextEscaping.escaped(path) }

  /// Looks whether the name can be taken; nobody should type a passphrase to learn that it cannot.
  ///
  /// - Throws: A failure where something has it that is not to be replaced.
  func check() throws(Failure) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    if !replacesFile { throw .system(EEXIST, "cannot write \(name)") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .usage("\(name) is no ordinary file, which alone is replaced; give another path")
    }
  }

  /// Lets `body` write the contents, and gives the file its name if that succeeds.
  ///
  /// What is unfinished has a name of its own in the same folder and is removed on failure. A signal waits
  /// for that; `body` is given the watch to end early.
  ///
  /// - Throws: A failure of the system, and what `body` throws.
  func write(_ body: (Output, SignalWatch) throws -> Void) throws {
    try SignalWatch.hold { signals in
      let temporary = temporaryPath
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let number = unsafe open(temporary, flags, 0o600)
      guard number >= 0 else { throw Failure.system(errno, "cannot write \(name)") }
      defer { close(number) }
      do {
        let output = Output(Descriptor(number: number), name: name)
        try body(output, signals)
        try output.flush()
        guard fsync(number) == 0 else { throw Failure.system(errno, "cannot write \(name)") }
        try signals.checkNoSignal()
        try giveName(temporary)
      } catch {
        unsafe unlink(temporary)
        throw error
      }
    }
  }

  /// A name in the folder of the file that nobody else has.
  private var temporaryPath: String {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    return folder + ".secretvault-" + String(UInt64.random(in: .min ... .max), radix: 16)
  }

  private func giveName(_ temporary: String) throws(Failure) {
    let result =
      replacesFile
      ? unsafe rename(temporary, path)
      : unsafe secretvault_rename_without_replacing(AT_FDCWD, temporary, AT_FDCWD, path)
    if result != 0 { throw .system(errno, "cannot write \(name)") }
  }
}
