import VaultCrypto
import VaultDatabase
import VaultFormat

/// The state of a group at one commit, after its manifest has been verified.
final class GroupSnapshot: Sendable {
  let epoch: UInt64
  let counter: UInt64
  let tag: Digest
  let name: [UInt8]
  let state: StateList
  let branches: BranchTable

  /// The salt in front of the sealed name; the manifest covers it.
  static let nameSaltRange = 0..<SealedBox.saltByteCount

  init(
    epoch: UInt64,
    counter: UInt64,
    tag: Digest,
    name: [UInt8],
    state: StateList,
    branches: BranchTable
  ) {
    self.epoch = epoch
    self.counter = counter
    self.tag = tag
    self.name = name
    self.state = state
    self.branches = branches
  }

  var verified: VerifiedPosition {
    VerifiedPosition(
      position: Position(epoch: epoch, counter: counter),
      tag: tag,
      writers: state.writers
    )
  }

  /// Whether a row that was just read has this state.
  func matches(counter: Int64, tag: Span<UInt8>) -> Bool {
    guard UInt64(exactly: counter) == self.counter, tag.count == self.tag.bytes.count
    else { return false }
    for index in tag.indices where tag[index] != self.tag.bytes[index] { return false }
    return true
  }

  /// Verifies the manifest over a row.
  ///
  /// - Throws: ``VaultError``: `keysRotated` where the row has another epoch than the keys, `tampered`
  ///   where it does not verify, `unsupportedVersion` where a newer version has written its state.
  static func verify(
    _ row: GroupRow,
    record: GroupRecord,
    scope: ManifestScope,
    manifest: Expander
  ) throws(VaultError) -> GroupSnapshot {
    guard record.epoch == scope.epoch else { throw VaultError(.keysRotated) }
    return try translatingErrors { () throws(any Error) in
      guard let counter = UInt64(exactly: row.position.counter),
        row.name.count > nameSaltRange.count
      else { throw VaultError(.tampered) }
      let tag = Digest(row.position.tag)
      let branches = try BranchTable(parsing: row.branches.span)
      let expected = try scope.manifestTag(
        counter: counter,
        items: branches.totalItems,
        nameSalt: row.name.span.extracting(nameSaltRange),
        state: row.state.span,
        branches: row.branches.span,
        using: manifest
      )
      guard scope.areEqual(expected, tag) else { throw VaultError(.tampered) }
      return GroupSnapshot(
        epoch: record.epoch,
        counter: counter,
        tag: tag,
        name: row.name,
        // Read only now: a field of a newer version counts when a writer of the group has put it there.
        state: try StateList(parsing: row.state.span, of: .group),
        branches: branches
      )
    }
  }
}
