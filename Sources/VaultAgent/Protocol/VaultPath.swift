import Glibc
package import SecretVault

/// The absolute path of a vault with the links of its folder resolved: the name that an agent knows it by.
package struct VaultPath: Sendable {
  /// `PATH_MAX` of Linux, without the zero at the end.
  private static let byteCounts = 2...4095

  /// The path.
  package let text: String

  /// Takes a path as a client sent it, or returns `nil` for one that cannot be resolved already.
  package init?(resolved text: String) {
    guard text.hasPrefix("/"), !text.utf8.contains(0), Self.byteCounts.contains(text.utf8.count)
    else { return nil }
    self.text = text
  }

  /// Resolves the folder of a path against this process's working directory.
  ///
  /// - Throws: `VaultError`: `vaultMissing` where there is no such folder, `invalidArgument` for a path that
  ///   names no file.
  package init(resolving path: String) throws(VaultError) {
    let bytes = Array(path.utf8)
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { $0 + 1 } ?? 0
    let name = String(decoding: bytes[start...], as: UTF8.self)
    guard !bytes.contains(0), !name.isEmpty, name != ".", name != ".." else {
      throw VaultError(.invalidArgument, "the path names no vault file; name one")
    }
    let folder = slash.map { $0 == 0 ? "/" : String(decoding: bytes[..<$0], as: UTF8.self) }
    guard let resolved = unsafe realpath(folder ?? ".", nil) else {
      throw VaultError(.vaultMissing)
    }
    defer { unsafe free(resolved) }
    guard let text = unsafe String(validatingCString: resolved),
      let path = VaultPath(resolved: (text == "/" ? "" : text) + "/" + name)
    else { throw VaultError(.invalidArgument, "the path is too long or no valid UTF-8; change it") }
    self = path
  }
}

extension VaultPath: Hashable {
  /// Whether both are the same bytes: texts that Unicode takes for equal are different files.
  package static func == (left: VaultPath, right: VaultPath) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Feeds the bytes to the hasher.
  package func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }
}

extension OutgoingMessage {
  /// Writes the path of a vault.
  package mutating func append(_ path: VaultPath) {
    append(path.text)
  }
}

extension MessageReader {
  /// Reads the path of a vault.
  package mutating func vaultPath() throws(MalformedMessage) -> VaultPath {
    guard let path = VaultPath(resolved: try text()) else { throw MalformedMessage() }
    return path
  }
}
