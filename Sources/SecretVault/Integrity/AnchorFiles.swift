import Glibc
import Synchronization

/// The files of the anchors, of which the one that was used last stays open.
///
/// A vault can have more groups than a process may have files, but most often one of them is written.
final class AnchorFiles: Sendable {
  private let folder: FileDescriptor
  private let path: String
  private let rules: FileRules
  private let lastUsed = Mutex<LastUsed?>(nil)

  private struct LastUsed {
    let name: String
    let file: FileDescriptor
    let identity: FileIdentity
  }

  init(folder: FileDescriptor, at path: String, rules: FileRules) {
    self.folder = folder
    self.path = path
    self.rules = rules
  }

  /// Lends the file of that name, making an empty one where there is none, while no other thread has it; with
  /// `isLocked`, while no other process has it so either.
  func withFile<Result>(
    _ name: String,
    isLocked: Bool = false,
    _ body: (FileDescriptor) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    // From before the wait for other threads, so that who waits behind them waits no longer.
    let deadline = ContinuousClock.now + StateFolder.lockPatience
    return try lastUsed.withLock { lastUsed throws(VaultError) in
      let file: FileDescriptor
      if let known = lastUsed, try isCurrent(known, name) {
        file = known.file
      } else {
        file = try open(name)
        lastUsed = LastUsed(name: name, file: file, identity: try FileStatus.of(file).identity)
      }
      // A lock belongs to the open file, so it would not keep threads apart.
      if isLocked { try file.lock(until: deadline) }
      defer { if isLocked { file.unlock() } }
      return try body(file)
    }
  }

  /// Whether an open file still has its name and its mode: what is noted in one that lost them is noted for nobody.
  private func isCurrent(_ known: LastUsed, _ name: String) throws(VaultError) -> Bool {
    guard known.name == name, let status = try FileStatus.of(name, in: folder),
      status.identity == known.identity
    else { return false }
    try rules.checkFile(status, "anchor", at: path + "/" + name)
    return true
  }

  /// Closes the file that is open, if one is.
  func close() { lastUsed.withLock { $0 = nil } }

  private func open(_ name: String) throws(VaultError) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT
    guard let file = try FileDescriptor.file(name, in: folder, flags: flags, mode: 0o600)
    else { throw VaultError(.inputOutput) }
    try rules.checkFile(FileStatus.of(file), "anchor", at: path + "/" + name)
    return file
  }
}
