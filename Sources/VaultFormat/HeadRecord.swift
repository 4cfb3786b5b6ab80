/// The head of a vault: its format, its name, and the tag over slots and groups (96 bytes).
package struct HeadRecord: Hashable, Sendable {
  /// The random name of the vault.
  package var vaultID: Identifier

  /// Goes up by one whenever the root key changes.
  package var rootEpoch: UInt64

  /// Goes up by one at every change of the head, the slots or the group records.
  package var adminCounter: UInt64

  /// The number of slots, at most 64.
  package var slotCount: UInt32

  /// The number of group records, at most 1024.
  package var groupCount: UInt32

  /// The unkeyed checksum of the body, which tells damage from a wrong credential.
  package var checksum: Identifier

  /// The tag over the body under a key of the root key.
  package var adminTag: Digest

  /// The length of a record in bytes.
  package static let byteCount = 96

  private static let magic: UInt32 = 0x564C_5431  // "VLT1"
  private static let format: UInt16 = 1
  private static let suite: UInt16 = 1

  /// Makes a head from its fields; checksum and admin tag may be filled in once the body is known.
  package init(
    vaultID: Identifier,
    rootEpoch: UInt64,
    adminCounter: UInt64,
    slotCount: UInt32,
    groupCount: UInt32,
    checksum: Identifier = .zero,
    adminTag: Digest = .zero
  ) {
    self.vaultID = vaultID
    self.rootEpoch = rootEpoch
    self.adminCounter = adminCounter
    self.slotCount = slotCount
    self.groupCount = groupCount
    self.checksum = checksum
    self.adminTag = adminTag
  }

  /// Reads a record of exactly 96 bytes.
  ///
  /// Throws ``FormatError/notAVault`` for another magic, ``FormatError/unsupportedVersion`` for
  /// another format or suite, and ``FormatError/malformed`` for a wrong length, a count above its
  /// limit, or an epoch or counter outside of 1…2^62.
  package init(parsing bytes: Span<UInt8>) throws(FormatError) {
    guard bytes.count == Self.byteCount else { throw .malformed }
    guard try bytes.integer(at: 0) == Self.magic else { throw .notAVault }
    guard try bytes.integer(at: 4) == Self.format, try bytes.integer(at: 6) == Self.suite else {
      throw .unsupportedVersion
    }
    vaultID = try bytes.fixedBytes(at: 8)
    rootEpoch = try bytes.counter(at: 24)
    adminCounter = try bytes.counter(at: 32)
    slotCount = try bytes.integer(at: 40)
    groupCount = try bytes.integer(at: 44)
    checksum = try bytes.fixedBytes(at: 48)
    adminTag = try bytes.fixedBytes(at: 64)
    guard slotCount <= Limits.slots, groupCount <= Limits.groups else { throw .malformed }
  }

  /// The whole record.
  package var bytes: [UInt8] {
    var output = coveredBytes
    checksum.append(to: &output)
    adminTag.append(to: &output)
    return output
  }

  private var coveredBytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(Self.byteCount)
    output.append(bigEndian: Self.magic)
    output.append(bigEndian: Self.format)
    output.append(bigEndian: Self.suite)
    vaultID.append(to: &output)
    output.append(bigEndian: rootEpoch)
    output.append(bigEndian: adminCounter)
    output.append(bigEndian: slotCount)
    output.append(bigEndian: groupCount)
    return output
  }

  /// The body that checksum and admin tag cover: the first 48 bytes of the head, the state, every
  /// slot with its label, and every group record.
  ///
  /// Slots and groups are put into ascending order of their names here. Checksum and admin tag of
  /// `head` are not part of the body.
  package static func body(
    head: HeadRecord,
    state: [UInt8],
    slots: [(record: [UInt8], label: [UInt8])],
    groups: [[UInt8]]
  ) -> [UInt8] {
    var output = head.coveredBytes
    output.append(lengthPrefixed: state.span)
    let byID = slots.sorted { left, right in
      left.record.dropFirst(8).prefix(16)
        .lexicographicallyPrecedes(right.record.dropFirst(8).prefix(16))
    }
    for slot in byID {
      output.append(contentsOf: slot.record)
      output.append(lengthPrefixed: slot.label.span)
    }
    for group in groups.sorted(by: { $0.prefix(16).lexicographicallyPrecedes($1.prefix(16)) }) {
      output.append(contentsOf: group)
    }
    return output
  }

  /// Whether the slots and groups that a file holds are those that the head announces.
  ///
  /// Throws ``FormatError/malformed`` if a count differs, a name occurs twice, or more than eight
  /// slots ask for a passphrase.
  package func validate(slots: [SlotRecord], groups: [GroupRecord]) throws(FormatError) {
    guard slots.count == slotCount, groups.count == groupCount,
      slots.count <= Limits.slots, groups.count <= Limits.groups,
      slots.count(where: { $0.factors.contains(.passphrase) }) <= Limits.passphraseSlots,
      Set(slots.map(\.id)).count == slots.count, Set(groups.map(\.id)).count == groups.count
    else { throw .malformed }
  }
}
