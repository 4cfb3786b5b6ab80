import Glibc
import Synchronization
import VaultCrypto
import VaultFormat

/// The anchor of one scope: two cells in a small file, of which the older is overwritten.
final class Anchor: Sendable {
  /// What the file held when it was last read or written, and what that meant.
  private struct Known {
    var contents: [UInt8]
    /// The positions of the sound cells, by their offsets.
    var positions: [Int: Position]
  }

  private let files: AnchorFiles
  private let vaultID: Identifier
  private let scope: Identifier
  private let name: String
  private let hasUnsynchronizedChange = Atomic<Bool>(false)
  private let known: Mutex<Known>
  /// Names this state folder among the writers of the scope.
  let holder: Identifier
  /// What was remembered when the anchor was opened, or `nil` for a scope that was never seen here.
  let remembered: VerifiedPosition?

  init(
    _ files: AnchorFiles,
    vaultID: Identifier,
    scope: Identifier,
    random: RandomSource
  ) throws(VaultError) {
    self.files = files
    self.vaultID = vaultID
    self.scope = scope
    name = vaultID.hex + "-" + scope.hex
    let contents = try files.withFile(name, Self.contents)
    let records = try Self.records(in: contents, of: vaultID, scope)
    known = Mutex(Known(contents: contents, positions: records.mapValues(\.position)))
    let record = records.values.max { $0.position < $1.position }
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
    try files.withFile(name, isLocked: true) { file throws(VaultError) in
      try known.withLock { known throws(VaultError) in
        try advance(&known, in: file, to: verified, isAccepted)
      }
    }
  }

  private func advance(
    _ known: inout Known,
    in file: FileDescriptor,
    to verified: VerifiedPosition,
    _ isAccepted: Bool
  ) throws(VaultError) {
    // Most often nobody else has written, and what was found sound is sound.
    let contents = try Self.contents(of: file)
    if !Self.areEqual(contents.span, known.contents.span) {
      known = Known(
        contents: contents,
        positions: try Self.records(in: contents, of: vaultID, scope).mapValues(\.position)
      )
    }
    let newest = known.positions.values.max()
    if let newest, newest >= verified.position, !isAccepted { return }
    let offsets = AnchorFile.cellOffsets
    let target =
      offsets.first { known.positions[$0] == nil }
      ?? offsets.first { known.positions[$0] != newest } ?? 0
    for offset in offsets where offset == target || isAccepted {
      try write(verified, to: file, at: offset, &known)
    }
  }

  /// Makes what was remembered durable, if anything new was.
  func synchronize() throws(VaultError) {
    guard hasUnsynchronizedChange.exchange(false, ordering: .relaxed) else { return }
    let file = try files.withFile(name) { $0 }
    try file.synchronize()
  }

  private func write(
    _ verified: VerifiedPosition,
    to file: FileDescriptor,
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
    try translatingErrors { () throws(any Error) in
      var bytes = known.contents.mutableSpan
      try bytes.replace(at: offset, with: contents.span)
    }
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

  /// Compares what is no secret, at the speed of the system's own comparison.
  private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right in
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return unsafe memcmp(first, second, left.count) == 0
      }
    }
  }

  /// The sound records by the offset of their cell; a damaged cell counts as none, and so does one of another scope, whose
  /// position says nothing here.
  private static func records(
    in contents: [UInt8],
    of vaultID: Identifier,
    _ scope: Identifier
  ) throws(VaultError) -> [Int: AnchorRecord] {
    var records: [Int: AnchorRecord] = [:]
    for (range, check) in AnchorFile.split(contents.span) {
      let record = contents.span.extracting(range)
      let expected = try translatingErrors { () throws(any Error) in
        AnchorCheck(try SHA512.check(.anchor, record))
      }
      guard check == expected, let record = try? AnchorRecord(parsing: record),
        record.vaultID == vaultID, record.scope == scope
      else { continue }
      records[range.lowerBound] = record
    }
    return records
  }
}

extension AnchorRecord {
  fileprivate var position: Position { Position(epoch: epoch, counter: counter) }
}
