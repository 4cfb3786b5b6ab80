import CLinux
import Glibc
import Synchronization
import VaultCrypto
import VaultFormat

/// What this user's machine remembers of the scopes of one vault, outside the vault.
///
/// It has no authentication of its own: whoever can write the user's state folder can replay it.
final class AnchorStore: Sendable {
  private let folder: FileDescriptor
  private let state: StateFolder
  private let random: RandomSource

  /// Opens the `anchors` folder, making it where it is missing.
  init(_ state: StateFolder, random: RandomSource) throws(VaultError) {
    folder = try state.open("anchors")
    self.state = state
    self.random = random
  }

  /// Opens the anchor of a scope, making an empty one where there is none.
  func anchor(vaultID: Identifier, scope: Identifier) throws(VaultError) -> Anchor {
    let name = vaultID.hex + "-" + scope.hex
    let flags = O_RDWR | O_CREAT
    guard let file = try FileDescriptor.file(name, in: folder, flags: flags, mode: 0o600)
    else { throw VaultError(.inputOutput) }
    try state.rules.checkFile(FileStatus.of(file), "anchor")
    return try Anchor(file, vaultID: vaultID, scope: scope, random: random)
  }

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
    try state.rules.checkFile(status, "path table")
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

/// The anchor of one scope: two cells in a small file, of which the older is overwritten.
final class Anchor: Sendable {
  /// What the file held when it was last read or written, and what that meant.
  private struct Known {
    var contents: [UInt8]
    /// The positions of the sound cells, by their offsets.
    var positions: [Int: Position]
  }

  private let file: FileDescriptor
  private let vaultID: Identifier
  private let scope: Identifier
  private let hasUnsynchronizedChange = Atomic<Bool>(false)
  private let known: Mutex<Known>
  /// Names this state folder among the writers of the scope.
  let holder: Identifier
  /// What was remembered when the anchor was opened, or `nil` for a scope that was never seen here.
  let remembered: VerifiedPosition?

  fileprivate init(
    _ file: FileDescriptor,
    vaultID: Identifier,
    scope: Identifier,
    random: RandomSource
  ) throws(VaultError) {
    self.file = file
    self.vaultID = vaultID
    self.scope = scope
    let contents = try Self.contents(of: file)
    let records = try Self.records(in: contents)
    known = Mutex(Known(contents: contents, positions: records.mapValues(\.position)))
    let record = records.values
      .filter { $0.vaultID == vaultID && $0.scope == scope }
      .max { $0.position < $1.position }
    if let record {
      holder = record.holder
    } else {
      holder = try translatingErrors { () throws(any Error) in Identifier(try random.bytes()) }
    }
    remembered = record.map {
      VerifiedPosition(position: $0.position, tag: $0.tag, writers: $0.writers)
    }
  }

  /// Remembers a state, unless a later one is remembered already.
  ///
  /// A state that the user accepted takes the place of whatever is remembered.
  func advance(to verified: VerifiedPosition, isAccepted: Bool = false) throws(VaultError) {
    try file.lock(until: .now + StateFolder.lockPatience)
    defer { file.unlock() }
    try known.withLock { known throws(VaultError) in
      // Most often nobody else has written, and what was found sound is sound.
      let contents = try Self.contents(of: file)
      if contents != known.contents {
        known = Known(
          contents: contents,
          positions: try Self.records(in: contents).mapValues(\.position)
        )
      }
      let newest = known.positions.values.max()
      if let newest, newest >= verified.position, !isAccepted { return }
      let offsets = AnchorFile.cellOffsets
      let target =
        offsets.first { known.positions[$0] == nil }
        ?? offsets.first { known.positions[$0] != newest } ?? 0
      for offset in offsets where offset == target || isAccepted {
        try write(verified, at: offset, &known)
      }
    }
  }

  /// Makes what was remembered durable, if anything new was.
  func synchronize() throws(VaultError) {
    if hasUnsynchronizedChange.exchange(false, ordering: .relaxed) { try file.synchronize() }
  }

  private func write(
    _ verified: VerifiedPosition,
    at offset: Int,
    _ known: inout Known
  ) throws(VaultError) {
    let record = AnchorRecord(
      vaultID: vaultID,
      scope: scope,
      epoch: verified.position.epoch,
      counter: verified.position.counter,
      tag: verified.tag,
      holder: holder,
      writers: verified.writers
    ).bytes
    let contents = try translatingErrors { () throws(any Error) in
      try AnchorFile.cell(record: record, check: AnchorCheck(SHA512.check(.anchor, record.span)))
    }
    try file.write(contents.span, at: offset)
    hasUnsynchronizedChange.store(true, ordering: .relaxed)
    known.contents.replaceSubrange(offset..<offset + contents.count, with: contents)
    known.positions[offset] = verified.position
  }

  /// The bytes of both cells; zeros stand for what is missing.
  private static func contents(of file: FileDescriptor) throws(VaultError) -> [UInt8] {
    var contents = [UInt8](
      repeating: 0,
      count: AnchorFile.cellByteCount * AnchorFile.cellOffsets.count
    )
    var bytes = contents.mutableSpan
    _ = try file.read(into: &bytes)
    return contents
  }

  /// The sound records by the offset of their cell; a damaged cell counts as none.
  private static func records(in contents: [UInt8]) throws(VaultError) -> [Int: AnchorRecord] {
    var records: [Int: AnchorRecord] = [:]
    for (range, check) in AnchorFile.split(contents.span) {
      let record = contents.span.extracting(range)
      let expected = try translatingErrors { () throws(any Error) in
        AnchorCheck(try SHA512.check(.anchor, record))
      }
      guard check == expected else { continue }
      records[range.lowerBound] = try? AnchorRecord(parsing: record)
    }
    return records
  }
}

extension AnchorRecord {
  fileprivate var position: Position { Position(epoch: epoch, counter: counter) }
}
