import VaultCrypto
import VaultDatabase
import VaultFormat

/// Seals the rows of groups anew: as many as memory allows before the commit, and the others inside it.
final class RotationSealing {
  /// What has been sealed and left out so far.
  private(set) var report = RotationReport()

  private let store: SecretStore
  private let session: Session
  private let rows: RotationRows
  private let resealers: RowResealers
  private let tell: (RotationProgress) -> Void
  private var progress = RotationProgress(totalItems: 0)

  /// So much is read, and sealed by all cores, at a time.
  private static let batchByteCount = 1024 * 1024
  /// So much is sealed before the commit; what is beyond is sealed inside it.
  private static let mostPreparedBytes = 64 * 1024 * 1024

  /// Reads rows with a session.
  init(
    _ store: SecretStore,
    _ session: Session,
    _ rows: RotationRows,
    progress: @escaping (RotationProgress) -> Void = { _ in }
  ) throws(VaultError) {
    self.store = store
    self.session = session
    self.rows = rows
    tell = progress
    resealers = try RowResealers()
  }

  /// Seals rows while others read and write.
  func prepare(_ groups: [RotatedGroup]) throws(VaultError) {
    try session.inReadTransaction { () throws(VaultError) in
      var found: [(group: RotatedGroup, base: GroupSnapshot, claims: [Claim])] = []
      for group in groups {
        let base = try session.refresh(group.old, known: group.old.snapshot)
        let claims = try session.claims(of: group.old, at: base)
        found.append((group, base, try rows.choose(from: claims, group).carried))
      }
      progress = RotationProgress(totalItems: found.reduce(0) { $0 + $1.claims.count })
      var bytesLeft = Self.mostPreparedBytes
      for (group, base, claims) in found {
        try prepare(claims, of: group, at: base, &bytesLeft)
      }
    }
  }

  /// Seals rows of a group until there is no more room for them.
  private func prepare(
    _ claims: [Claim],
    of group: RotatedGroup,
    at base: GroupSnapshot,
    _ bytesLeft: inout Int
  ) throws(VaultError) {
    var batch = Batch()
    for claim in claims {
      guard bytesLeft > 0 else { return }
      try add(claim, to: &batch, of: group, at: base)
      guard batch.byteCount >= Self.batchByteCount else { continue }
      bytesLeft -= try keep(&batch, of: group)
    }
    bytesLeft -= try keep(&batch, of: group)
  }

  /// Writes a group under its new key inside a write transaction that sees `base`, and returns the new state.
  ///
  /// Where this commit accepts an older file, `accepted` is what the machine remembered instead.
  func write(
    _ group: RotatedGroup,
    over base: GroupSnapshot,
    with sealing: Session,
    accepting accepted: VerifiedPosition? = nil,
    isRestore: Bool = false
  ) throws(VaultError) -> GroupSnapshot {
    let chosen = try rows.choose(from: session.claims(of: group.old, at: base), group)
    let working = try WorkingGroup(
      group.new,
      at: group.start(from: base),
      session: sealing,
      accepting: accepted
    )
    try clear(group, removing: chosen)
    var batch = Batch()
    for claim in chosen.carried {
      try store.requireNoPendingLock()
      if let row = group.resealed.removeValue(forKey: claim) {
        try write(row, to: working)
      } else {
        try add(claim, to: &batch, of: group, at: base)
        if batch.byteCount >= Self.batchByteCount { try write(&batch, of: group, to: working) }
      }
    }
    try write(&batch, of: group, to: working)
    report.resealedItems += chosen.carried.count
    return try working.finish(isRestore: isRestore)
  }

  private struct Batch {
    var rows: [FoundRow] = []
    var byteCount = 0
  }

  private func add(
    _ claim: Claim,
    to batch: inout Batch,
    of group: RotatedGroup,
    at base: GroupSnapshot
  ) throws(VaultError) {
    do {
      let row = try session.sealedRow(of: claim, in: group.old, at: base)
      batch.rows.append(FoundRow(sealed: row, random: try store.random.bytes()))
      batch.byteCount += row.byteCount
    } catch {
      throw VaultError(translating: error)
    }
  }

  private func reseal(
    _ batch: inout Batch,
    of group: RotatedGroup
  ) throws(VaultError) -> (found: [FoundRow], resealed: [SealedRow]) {
    try store.requireNoPendingLock()
    let found = batch.rows
    batch = Batch()
    guard !found.isEmpty else { return ([], []) }
    let resealed = try resealers.reseal(found, in: group)
    progress.completedItems = min(progress.completedItems + found.count, progress.totalItems)
    tell(progress)
    return (found, resealed)
  }

  /// - Returns: How many bytes the boxes have that are kept.
  private func keep(_ batch: inout Batch, of group: RotatedGroup) throws(VaultError) -> Int {
    let (found, resealed) = try reseal(&batch, of: group)
    for (old, new) in zip(found, resealed) { group.resealed[old.sealed.claim] = new }
    return resealed.reduce(0) { $0 + $1.byteCount }
  }

  private func write(
    _ batch: inout Batch,
    of group: RotatedGroup,
    to working: WorkingGroup
  ) throws(VaultError) {
    for row in try reseal(&batch, of: group).resealed { try write(row, to: working) }
  }

  private func write(_ row: SealedRow, to working: WorkingGroup) throws(VaultError) {
    do {
      try session.connection.updateBox(
        id: Int64(clamping: row.claim.box),
        attributes: row.attributes.span,
        secret: row.secret.span,
        history: row.history.span
      )
      try working.set(row.claim)
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Takes away what the former key made, but for the boxes that are written over.
  private func clear(
    _ group: RotatedGroup,
    removing chosen: RotationRows.Chosen
  ) throws(VaultError) {
    let connection = session.connection
    let id = group.new.scope.groupID
    let record = group.record.bytes
    let name = group.name
    do {
      try connection.deleteAllPages(group: id.bytes.span)
      try connection.deleteAllClaims(group: id.bytes.span)
      for claim in chosen.removed { try connection.deleteBox(id: Int64(clamping: claim.box)) }
      try connection.updateGroupRecord(row: group.new.row, record: record.span)
      try connection.updateGroupName(row: group.new.row, name: name.span)
    } catch {
      throw VaultError(translating: error)
    }
    report.itemsRemovedWithPassphrase += chosen.removedWithPassphrase.count
    report.itemsRemovedOfOtherDevices += chosen.removedOfOtherDevices.count
  }
}
