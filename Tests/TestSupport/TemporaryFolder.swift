import Foundation

/// A folder of one test's own, private and empty, removed when the last reference goes.
public final class TemporaryFolder: Sendable {
  /// The absolute path.
  public let path: String

  /// Makes the folder.
  public init() throws {
    let name = "secretvault-test-\(UUID().uuidString)"
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Makes a folder with a short path, for sockets, whose paths have 107 bytes at the most.
  public init(shortNameStartingWith start: String) throws {
    path = "/tmp/\(start)-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  public func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file with a mode of its own, and returns its path.
  @discardableResult
  public func write(
    _ bytes: some Sequence<UInt8>,
    to name: String,
    mode: Int = 0o600
  ) throws -> String {
    let file = path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }

  /// Writes a text file with a mode of its own, and returns its path.
  @discardableResult
  public func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  /// The bytes of a file, or `nil` where there is none.
  public func contents(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(name)).map { Array($0) }
  }

  /// Whether there is something of that name.
  public func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The names in the folder, sorted.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// The permission bits of a file or folder.
  public func mode(of name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
    return attributes[.posixPermissions] as? Int
  }
}
