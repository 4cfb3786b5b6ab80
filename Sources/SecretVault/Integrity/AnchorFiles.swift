import Glibc
import Synchronization

/// The files of the anchors, of which the one that was used last stays open.
///
/// A vault can have more groups than a process may have files, but most often one of them is written.
final class AnchorFiles: Sendable {
  private let folder: FileDescriptor
  private let rules: FileRules
  private let lastUsed = Mutex<(name: String, file: FileDescriptor)?>(nil)

  init(folder: FileDescriptor, rules: FileRules) {
    self.folder = folder
    self.rules = rules
  }

  /// Lends the file of that name, making an empty one where there is none, while no other thread has it; with
  /// `isLocked`, while no other process has it so either.
  func withFile<Result>(
    _ name: String,
    isLocked: Bool = false,
    _ body: (FileDescriptor) throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    try lastUsed.withLock { lastUsed throws(VaultError) in
      let file: FileDescriptor
      if let known = lastUsed, known.name == name {
        file = known.file
      } else {
        file = try open(name)
        lastUsed = (name, file)
      }
      // A lock belongs to the open file, so it would not keep threads apart.
      if isLocked { try file.lock(until: .now + StateFolder.lockPatience) }
      defer { if isLocked { file.unlock() } }
      return try body(file)
    }
  }

  /// Closes the file that is open, if one is.
  func close() { lastUsed.withLock { $0 = nil } }

  private func open(_ name: String) throws(VaultError) -> FileDescriptor {
    let flags = O_RDWR | O_CREAT
    guard let file = try FileDescriptor.file(name, in: folder, flags: flags, mode: 0o600)
    else { throw VaultError(.inputOutput) }
    try rules.checkFile(FileStatus.of(file), "anchor")
    return file
  }
}
