import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// The head, slots and groups of a vault as they were read, parsed strictly but not authenticated.
struct VaultContents {
  let headRow: HeadRow
  let head: HeadRecord
  let headState: StateList
  let slotRows: [SlotRow]
  let slots: [SlotRecord]
  let groupRows: [GroupRow]
  let groups: [GroupRecord]

  /// Reads inside a transaction.
  ///
  /// - Throws: ``VaultError``: `notAVault`, `unsupportedVersion`, `kdfRefused`, or `corruptHeader` where the
  ///   structure or the unkeyed checksum is wrong. All of it comes before any key is derived.
  init(reading connection: any DatabaseConnection) throws(VaultError) {
    do {
      try self.init(
        headRow: connection.head(),
        slotRows: connection.slots(),
        groupRows: connection.groups()
      )
      try head.validate(slots: slots, groups: groups)
      guard try Self.checksum(body) == head.checksum else { throw FormatError.malformed }
    } catch let error as FormatError where error == .malformed || error == .limitExceeded {
      throw VaultError(.corruptHeader)
    } catch let error as DatabaseError
      where [.malformedRow, .missingRow, .corrupt].contains(error.code)
    {
      throw VaultError(.corruptHeader, cause: error)
    } catch {
      throw VaultError(translating: error)
    }
  }

  private init(headRow: HeadRow, slotRows: [SlotRow], groupRows: [GroupRow]) throws {
    self.headRow = headRow
    self.slotRows = slotRows
    self.groupRows = groupRows
    head = try HeadRecord(parsing: headRow.record.span)
    headState = try StateList(parsing: headRow.state.span, of: .head)
    slots = try slotRows.map { row in
      let slot = try SlotRecord(parsing: row.record.span)
      guard slot.id == Identifier(row.id) else { throw FormatError.malformed }
      return slot
    }
    groups = try groupRows.map { row in
      let record = try GroupRecord(parsing: row.record.span)
      guard record.id == Identifier(row.id) else { throw FormatError.malformed }
      return record
    }
  }

  /// The unkeyed checksum, which tells damage from a wrong passphrase.
  static func checksum(_ body: [UInt8]) throws(CryptoError) -> Identifier {
    Identifier(try SHA512.check(.checksum, body.span))
  }

  /// What checksum and admin tag cover.
  var body: [UInt8] {
    HeadRecord.body(
      head: head,
      state: headRow.state,
      slots: zip(slots, slotRows).map { (record: $0.bytes, label: $1.label) },
      groups: groups.map(\.bytes)
    )
  }

  /// Whether head and slots are what they were in another reading.
  func hasSameHead(as other: VaultContents) -> Bool {
    headRow.record == other.headRow.record && headRow.state == other.headRow.state
  }

  /// Throws unless the vault was made for the Unix group that its opener names.
  ///
  /// Who names none needs no word of the head: for them the files are private, as those of a copy are.
  func requireSharing(with group: UnixGroup?) throws(VaultError) {
    guard let group, headState.sharingGroup != group.number else { return }
    throw VaultError(
      .insecureFile,
      "the vault was not made for that Unix group; name the right one with --shared-with, or none"
    )
  }

  var rootPosition: VerifiedPosition {
    VerifiedPosition(
      position: Position(epoch: head.rootEpoch, counter: head.adminCounter),
      tag: head.adminTag,
      writers: headState.writers
    )
  }

  /// Throws unless the root key made this head, these slots and these group records.
  func requireAdminTag(_ root: borrowing Key<Role.Root>) throws(VaultError) {
    do {
      let tag = Digest(try Self.adminTag(body, root: root))
      guard ConstantTime.equal(tag.bytes.span, head.adminTag.bytes.span)
      else { throw VaultError(.tampered) }
    } catch {
      throw VaultError(translating: error)
    }
  }

  static func adminTag(
    _ body: [UInt8],
    root: borrowing Key<Role.Root>
  ) throws(CryptoError) -> InlineArray<32, UInt8> {
    try root.adminKey().expander().expand(.adminTag) { hmac throws(CryptoError) in
      try hmac.update(body.span)
    }
  }
}
