import VaultCrypto
import VaultDatabase
import VaultFormat

extension SecretStore {
  /// Writes the head over changed slots, and the new slot rows, and returns the new position.
  ///
  /// Where this commit accepts an older file, `accepted` is what the machine remembered instead.
  func writeHead(
    _ contents: VaultContents,
    slots rows: [SlotRow],
    groups: [GroupRecord]? = nil,
    _ anchor: Anchor?,
    _ rights: borrowing VaultAdministration.Rights,
    accepting accepted: VerifiedPosition? = nil
  ) throws(VaultError) -> VerifiedPosition {
    try writeHead(
      contents,
      slots: rows,
      groups: groups ?? contents.groups,
      rootEpoch: contents.head.rootEpoch,
      root: rights.root,
      anchor,
      rights.session.connection,
      accepting: accepted
    )
  }

  /// Writes the head under a root key, which may be a new one of another epoch.
  func writeHead(
    _ contents: VaultContents,
    slots rows: [SlotRow],
    groups: [GroupRecord],
    rootEpoch: UInt64,
    root: borrowing Key<Role.Root>,
    _ anchor: Anchor?,
    _ connection: any DatabaseConnection,
    accepting accepted: VerifiedPosition? = nil
  ) throws(VaultError) -> VerifiedPosition {
    let former = max(contents.head.adminCounter, accepted?.position.counter ?? 0)
    guard former < Limits.counters.upperBound else { throw VaultError(.limitExceeded) }
    guard !contents.headState.isReadOnly else { throw VaultError(.unsupportedVersion) }
    do {
      let counter = former + 1
      var state = contents.headState
      if let accepted { state.writers = state.writers.merged(with: accepted.writers) }
      try state.writers.record(holder: anchor?.holder ?? .zero, counter: counter)
      let making = HeadMaking(
        vaultID: contents.head.vaultID,
        rootEpoch: rootEpoch,
        adminCounter: counter,
        state: state.bytes
      )
      let head = try making.row(
        slots: rows,
        groups: groups.map(\.bytes),
        root: root
      )
      for row in rows { try connection.putSlot(row) }
      try connection.putHead(head)
      return VerifiedPosition(
        position: Position(epoch: rootEpoch, counter: counter),
        tag: try HeadRecord(parsing: head.record.span).adminTag,
        writers: state.writers
      )
    } catch {
      throw VaultError(translating: error)
    }
  }
}

extension SlotRecord {
  /// Whether any of the slots takes a passphrase and opens the group.
  static func anyTakesPassphrase(
    in rows: [SlotRow],
    opening group: Identifier
  ) throws(VaultError) -> Bool {
    do {
      return try rows.contains { row throws(FormatError) in
        let slot = try SlotRecord(parsing: row.record.span)
        return slot.factors.contains(.passphrase) && (slot.scope == .zero || slot.scope == group)
      }
    } catch {
      throw VaultError(translating: error)
    }
  }
}
