import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// A row under its former keys, with the random bytes for its next rev.
struct FoundRow: Sendable {
  let sealed: SealedRow
  let random: InlineArray<32, UInt8>
}

extension SealedRow {
  /// The size of its boxes, in bytes.
  var byteCount: Int { attributes.count + secret.count + history.count }
}

/// Opens rows under one key of a group and seals them under the next, used by one thread at a time.
final class RowResealer {
  private let opening: RowCipher
  private let sealing: RowCipher

  init() throws(VaultError) {
    do {
      opening = try RowCipher()
      sealing = try RowCipher()
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Seals a row anew; what is in its boxes is passed on as bytes.
  ///
  /// - Throws: ``VaultError`` with the code `tampered` where a box does not open, or the attributes are another item's.
  func reseal(_ row: FoundRow, in group: RotatedGroup) throws(VaultError) -> SealedRow {
    let found = row.sealed
    let attributes = try open(found.attributes, .attributes, found.claim, in: group.old)
    let secret = try open(found.secret, .secret, found.claim, in: group.old)
    var history: SecretBytes?
    if !found.history.isEmpty {
      history = try open(found.history, .history, found.claim, in: group.old)
    }
    var claim = found.claim
    do { claim.lookup = try lookup(of: claim, attributes, in: group) } catch {
      throw VaultError(translating: error)
    }
    return try sealing.seal(
      PreparedRow(
        claim: claim,
        random: row.random,
        attributes: attributes.withBytes { ItemAttributes(validated: $0) },
        secret: secret,
        history: history,
        group: group.new
      )
    )
  }

  private func open(
    _ box: [UInt8],
    _ part: BoxPart,
    _ claim: Claim,
    in group: OpenGroup
  ) throws(VaultError) -> SecretBytes {
    let row = claim.bytes
    return try opening.open(box.span, part, row: row.span, in: group)
  }

  /// The lookup under the new key.
  ///
  /// Of a kind that only a newer version knows, nothing says what its lookup is made of, so the new one is made of the
  /// old: the item stays whole and alone in its place.
  private func lookup(
    of claim: Claim,
    _ attributes: SecretBytes,
    in group: RotatedGroup
  ) throws -> Digest {
    let old = try opening.contexts(of: group.old).index
    let new = try sealing.contexts(of: group.new).index
    guard !AttributeTag.identity(ofKind: claim.kind).isEmpty else {
      return Digest(try new.expand(.lookup, over: claim.lookup.bytes.span))
    }
    var input: [UInt8] = []
    defer { ConstantTime.wipe(&input) }
    try attributes.withBytes { list throws(FormatError) in
      input.reserveCapacity(list.count + 64)
      try LookupInput.append(
        attributes: list,
        kind: claim.kind,
        isSynchronizable: claim.flags.contains(.synchronizable),
        to: &input
      )
    }
    let expected = try old.expand(.lookup, over: input.span)
    guard ConstantTime.equal(expected.span, claim.lookup.bytes.span)
    else { throw VaultError(.tampered) }
    return Digest(try new.expand(.lookup, over: input.span))
  }
}

/// The threads of a rotation, each with ciphers of its own.
///
/// `@unchecked Sendable` holds because each part of the work uses the resealer of its own number alone.
struct RowResealers: @unchecked Sendable {
  /// A group that all parts read.
  ///
  /// `@unchecked Sendable` holds because nothing of a group changes while its rows are sealed.
  private struct SharedGroup: @unchecked Sendable {
    let group: RotatedGroup
  }

  /// Below this many rows a thread, waking another one costs more than it takes over.
  private static let rowsWorthAThread = 16

  private let byPart: [RowResealer]

  init() throws(VaultError) {
    var resealers: [RowResealer] = []
    for _ in 0..<SharedWork.cores { resealers.append(try RowResealer()) }
    byPart = resealers
  }

  /// Seals rows anew, on several cores where it pays, and returns them in their order.
  func reseal(_ rows: [FoundRow], in group: RotatedGroup) throws(VaultError) -> [SealedRow] {
    let count = max(1, min(byPart.count, rows.count / Self.rowsWorthAThread))
    let shared = SharedGroup(group: group)
    let parts = try SharedWork.perform(parts: count, rowCount: rows.count) {
      part,
      range throws(VaultError) in
      try rows[range].map { row throws(VaultError) in
        try byPart[part].reseal(row, in: shared.group)
      }
    }
    return parts.flatMap { $0 }
  }
}
