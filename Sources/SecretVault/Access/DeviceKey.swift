import CLinux
import Glibc
import SecretMemory
import VaultCrypto
import VaultFormat

/// This user's key on this machine: `device.key` in the state folder.
enum DeviceKey {
  private static let name = "device.key"

  /// Reads the key, making one where there is none.
  ///
  /// - Returns: `nil` where there is no state folder or it cannot be written; the device-bound classes
  ///   are closed then.
  /// - Throws: ``VaultError``: `insecureFile` where a key file is there but open to others, `notOnThisDevice` where it
  ///   is malformed.
  static func load(
    from state: StateFolder?,
    random source: RandomSource
  ) throws(VaultError) -> Key<Role.Device>? {
    guard let state, let folder = try openFolder(state) else { return nil }
    if let key = try read(from: state, folder) { return key }
    do {
      // The folder itself is the lock, so that a key is made once and no file is left for that.
      try folder.lock(until: .now + StateFolder.lockPatience)
      defer { folder.unlock() }
      if let key = try read(from: state, folder) { return key }
      try make(in: folder, random: source)
      return try read(from: state, folder)
    } catch  where [.readOnly, .full, .inputOutput].contains(error.code) {
      return nil
    }
  }

  /// Throws what ``load(from:random:)`` would throw, and makes no key.
  static func check(in state: StateFolder?) throws(VaultError) {
    if let state, let folder = try openFolder(state) { _ = try read(from: state, folder) }
  }

  /// Opens the state folder; `nil` where it cannot be used.
  private static func openFolder(_ state: StateFolder) throws(VaultError) -> FileDescriptor? {
    do { return try state.open() } catch  where error.code != .insecureFile { return nil }
  }

  private static func read(
    from state: StateFolder,
    _ folder: FileDescriptor
  ) throws(VaultError) -> Key<Role.Device>? {
    guard let file = try FileDescriptor.file(name, in: folder, flags: O_RDONLY) else { return nil }
    let status = try FileStatus.of(file)
    try state.rules.checkFile(status, "device key", at: state.path + "/" + name)
    let line = try translatingErrors { () throws(any Error) in
      var buffer = try LockedBuffer(count: KeyFile.lineByteCount)
      let count = try buffer.withMutableBytes { bytes throws(VaultError) in
        try file.read(into: &bytes)
      }
      return SecretBytes(buffer, range: 0..<count)
    }
    do throws(VaultError) {
      return try KeyText.deviceKey(line)
    } catch  where error.code == .invalidArgument {
      // Nobody has given it, so it is no argument that could be corrected.
      throw VaultError(
        .notOnThisDevice,
        "device.key in the state folder is damaged; put it back, or remove it with the items bound to it"
      )
    }
  }

  /// Makes the key under a temporary name and gives it its own when it is whole and durable.
  private static func make(
    in folder: FileDescriptor,
    random source: RandomSource
  ) throws(VaultError) {
    let line = try KeyText.makeLine(magic: .deviceKey, random: source)
    let temporary = name + ".new"
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    let made = try StateFolder.making { () throws(VaultError) in
      try FileDescriptor.file(temporary, in: folder, flags: flags, mode: 0o600)
    }
    guard let file = made else { throw VaultError(.inputOutput) }
    defer { unsafe unlinkat(folder.number, temporary, 0) }
    try line.withBytes { bytes throws(VaultError) in try file.write(bytes) }
    try file.synchronize()
    let result = unsafe secretvault_rename_without_replacing(
      folder.number,
      temporary,
      folder.number,
      name
    )
    guard result == 0 || errno == EEXIST else { throw VaultError.fromErrno(errno) }
    try folder.synchronize()
  }
}
