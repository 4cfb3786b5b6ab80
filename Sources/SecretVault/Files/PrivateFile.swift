import Glibc
public import SecretMemory

/// Small files that hold a secret: key files, passphrase files and the device key.
package enum PrivateFile {
  /// Reads a whole file into locked memory.
  ///
  /// The file must be the user's, regular, closed to others and have one name. A file directly in
  /// `$CREDENTIALS_DIRECTORY` may be root's or the user's and have mode 0400 or 0440, as systemd makes
  /// it. A pipe or a device is refused and never waited for.
  ///
  /// - Throws: ``VaultError``: `insecureFile`, `inputOutput` where there is no file, `limitExceeded`
  ///   where it is longer than `maximumByteCount`.
  package static func read(
    _ path: String,
    maximumByteCount: Int,
    allowsForeignOwner: Bool = false
  ) throws(VaultError) -> SecretBytes {
    guard let file = try FileDescriptor.file(path, in: nil, flags: O_RDONLY) else {
      throw VaultError(.inputOutput, "there is no such file; check the path")
    }
    let status = try FileStatus.of(file)
    let rules = FileRules(allowsForeignOwner: allowsForeignOwner)
    if isSystemCredential(path) {
      try rules.checkCredential(status, at: path)
    } else {
      try rules.checkFile(status, "file", at: path)
    }
    guard status.byteCount <= maximumByteCount else {
      throw VaultError(
        .limitExceeded,
        "the file is too long for what it should hold; check the path"
      )
    }
    return try translatingErrors { () throws(any Error) in
      var buffer = try LockedBuffer(count: status.byteCount)
      let count = try buffer.withMutableBytes { bytes throws(VaultError) in
        try file.read(into: &bytes)
      }
      return SecretBytes(buffer, range: 0..<count)
    }
  }

  /// Writes a new file of mode 0600, whole and durable, or leaves nothing.
  ///
  /// - Throws: ``VaultError``: `vaultExists` where the name is taken, and what the system says.
  package static func create(_ path: String, _ contents: SecretBytes) throws(VaultError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL
    guard let file = try FileDescriptor.file(path, in: nil, flags: flags, mode: 0o600) else {
      throw VaultError(.inputOutput, "the folder does not exist; make it first")
    }
    do {
      try contents.withBytes { bytes throws(VaultError) in try file.write(bytes) }
      try file.synchronize()
      try FileDescriptor.synchronizeName(path)
    } catch {
      unsafe unlink(path)
      throw error
    }
  }

  /// Whether the file is directly in the folder of the service's credentials, as the path is written.
  private static func isSystemCredential(_ path: String) -> Bool {
    guard let folder = Environment.value("CREDENTIALS_DIRECTORY"), !folder.isEmpty,
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    else { return false }
    return path.utf8[..<slash].elementsEqual(folder.utf8)
  }
}

extension SecretBytes {
  /// Reads a file that is private to the calling user, such as a passphrase file.
  ///
  /// - Throws: ``VaultError``: `insecureFile` where the file's kind, owner or mode is wrong,
  ///   `limitExceeded` where it is longer than `maximumByteCount`, `inputOutput` where it cannot be read.
  public init(
    contentsOfPrivateFile path: String,
    maximumByteCount: Int,
    allowsForeignOwner: Bool = false
  ) throws(VaultError) {
    self = try PrivateFile.read(
      path,
      maximumByteCount: maximumByteCount,
      allowsForeignOwner: allowsForeignOwner
    )
  }

  /// Writes the bytes to a new file that is private to the calling user (mode 0600).
  ///
  /// - Throws: ``VaultError``: `vaultExists` where the name is taken; nothing is left on failure.
  public func write(toNewPrivateFile path: String) throws(VaultError) {
    try PrivateFile.create(path, self)
  }
}

/// The process's environment, read once per question.
enum Environment {
  static func value(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
