import Glibc
import VaultCrypto
import VaultFormat

/// What this user's machine remembers of the scopes of one vault, outside the vault.
///
/// It has no authentication of its own: whoever can write the user's state folder can replay it.
final class AnchorStore: Sendable {
  private let folder: FileDescriptor
  private let files: AnchorFiles
  private let state: StateFolder
  private let random: RandomSource

  /// Opens the `anchors` folder, making it where it is missing.
  init(_ state: StateFolder, random: RandomSource) throws(VaultError) {
    folder = try state.open("anchors")
    files = AnchorFiles(folder: folder, at: state.path + "/anchors", rules: state.rules)
    self.state = state
    self.random = random
  }

  /// Opens the folder below the state folder of the options; `nil` where that cannot be used, and need not be.
  ///
  /// - Throws: ``VaultError``: `insecureFile` where others can reach it, and whatever hinders where the options
  ///   require an anchor.
  static func ifUsable(
    _ options: SecretStore.Options,
    rules: FileRules,
    random: RandomSource
  ) throws(VaultError) -> AnchorStore? {
    do throws(VaultError) {
      guard let state = options.stateFolder(rules: rules) else {
        throw VaultError(.inputOutput, "there is no state folder; name one, or set HOME")
      }
      return try AnchorStore(state, random: random)
    } catch  where error.code != .insecureFile && !options.requiresAnchor {
      return nil
    }
  }

  /// Opens the anchor of a scope, making an empty one where there is none.
  func anchor(vaultID: Identifier, scope: Identifier) throws(VaultError) -> Anchor {
    try Anchor(files, vaultID: vaultID, scope: scope, random: random)
  }

  /// Closes what is open of the anchors until one is used again.
  func closeFiles() { files.close() }

  /// The vault that was last seen at a path, or `nil` for a path that was never seen.
  func vaultID(at path: String) throws(VaultError) -> Identifier? {
    try pathTable()[pathKey(path)]
  }

  /// Notes which vault is at a path.
  func record(_ vaultID: Identifier, at path: String) throws(VaultError) {
    try state.withLock("paths.lock", in: folder) { () throws(VaultError) in
      try recordLocked(vaultID, at: path)
    }
  }

  private func recordLocked(_ vaultID: Identifier, at path: String) throws(VaultError) {
    var table = try pathTable()
    let key = try pathKey(path)
    guard table[key] != vaultID else { return }
    table[key] = vaultID
    var contents: [UInt8] = []
    for (key, vaultID) in table.sorted(by: { $0.key < $1.key }) {
      key.append(to: &contents)
      vaultID.append(to: &contents)
    }
    try state.replace("paths", in: folder, contents.span)
  }

  private func pathKey(_ path: String) throws(VaultError) -> Digest {
    try translatingErrors { () throws(any Error) in
      Digest(try SHA256.hash(Array(path.utf8).span))
    }
  }

  /// Reads the table of paths; rows of 48 bytes, and what is damaged counts as never seen.
  private func pathTable() throws(VaultError) -> [Digest: Identifier] {
    guard let file = try FileDescriptor.file("paths", in: folder, flags: O_RDONLY) else {
      return [:]
    }
    let status = try FileStatus.of(file)
    try state.rules.checkFile(status, "path table", at: state.path + "/anchors/paths")
    var contents = [UInt8](repeating: 0, count: min(status.byteCount, 48 * 65_536))
    var bytes = contents.mutableSpan
    let count = try file.read(into: &bytes)
    var table: [Digest: Identifier] = [:]
    for offset in stride(from: 0, through: count - 48, by: 48) {
      guard let key: Digest = try? contents.span.fixedBytes(at: offset),
        let vaultID: Identifier = try? contents.span.fixedBytes(at: offset + 32)
      else { break }
      table[key] = vaultID
    }
    return table
  }
}
