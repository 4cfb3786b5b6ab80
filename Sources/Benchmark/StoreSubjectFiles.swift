import Glibc
import SecretVault

extension StoreSubject {
  /// Makes a vault whose key file lies beside it, for other processes.
  convenience init(keyedIn folder: String) throws(BenchmarkError) {
    let keyFile = try Self.makeKeyFile()
    try Self.write(keyFile, to: Self.keyPath(in: folder))
    try self.init(folder: folder, keyFile: keyFile)
  }

  /// Opens the vault that another process made so.
  convenience init(openIn folder: String) throws(BenchmarkError) {
    try self.init(folder: folder, opening: .keyFile(contents: Self.read(Self.keyPath(in: folder))))
  }

  /// Writes a key file.
  static func write(_ keyFile: SecretBytes, to path: String) throws(BenchmarkError) {
    let file = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard file >= 0 else { throw .system("open", number: errno) }
    defer { Glibc.close(file) }
    let isWritten = keyFile.withBytes { bytes in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe Glibc.write(file, bytes.baseAddress, bytes.count) == bytes.count
      }
    }
    guard isWritten else { throw .system("write", number: errno) }
  }

  private static func read(_ path: String) throws(BenchmarkError) -> SecretBytes {
    let file = unsafe Glibc.open(path, O_RDONLY)
    guard file >= 0 else { throw .system("open", number: errno) }
    defer { Glibc.close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(file, &bytes, bytes.count)
    guard count > 0 else { throw .system("read", number: errno) }
    return try secret(Array(bytes.prefix(count)))
  }

  private static func keyPath(in folder: String) -> String { folder + "/key" }
}
