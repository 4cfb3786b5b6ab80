import Glibc
import SecretVault

/// A file to be imported, whole in locked memory.
///
/// A file of known size takes its own size of locked memory, a pipe up to twice as much while it is read.
/// The secrets in it are then copied out, each into 64 bytes or more. So a process that may lock 8 MiB
/// takes files of about 5 MiB, or 3 MiB from a pipe; for more the limit must be raised (`ulimit -l`).
struct ImportText {
  /// The most that a file may have, in bytes.
  static let limit = 64 << 20
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let storage: SecretBytes
  private let range: Range<Int>

  /// Reads a file, or standard input for `-`.
  ///
  /// - Throws: A failure: unreadable, longer than 64 MiB, or no locked memory left.
  init(path: String) throws {
    if path == "-" {
      try self.init(reading: .standardInput, name: "standard input")
      return
    }
    let name = TextEscaping.escaped(path)
    self = try Descriptor.reading(path) { descriptor in
      try ImportText(reading: descriptor, name: name)
    }
  }

  private init(reading descriptor: Descriptor, name: String) throws {
    var status = stat()
    let isFile =
      unsafe fstat(descriptor.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard isFile else {
      let bytes = try SecretReader.read(descriptor, limit: Self.limit, name: name)
      self.init(bytes, count: bytes.count)
      return
    }
    guard let size = Int(exactly: status.st_size), size <= Self.limit else {
      throw Failure.limitExceeded
    }
    var filled = 0
    var failure: Failure?
    let bytes = try SecretBytes(count: size) { buffer in
      do throws(Failure) {
        while filled < size {
          let count = try descriptor.read(into: &buffer, at: filled..<size, name: name)
          if count == 0 { break }
          filled += count
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    self.init(bytes, count: filled)
  }

  /// Takes the first bytes, but for a byte order mark, which means nothing in UTF-8.
  init(_ bytes: SecretBytes, count: Int) {
    storage = bytes
    let hasMark = bytes.withBytes { bytes in
      count >= Self.byteOrderMark.count
        && Self.byteOrderMark.indices.allSatisfy { bytes[$0] == Self.byteOrderMark[$0] }
    }
    range = (hasMark ? Self.byteOrderMark.count : 0)..<count
  }

  /// Lends the bytes for the length of a call.
  func withBytes<R>(_ body: (Span<UInt8>) throws -> R) throws -> R {
    try storage.withBytes { try body($0.extracting(range)) }
  }
}
