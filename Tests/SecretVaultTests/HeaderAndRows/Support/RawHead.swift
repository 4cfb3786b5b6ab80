import VaultCrypto
import VaultFormat

/// The rows that checksum and admin tag cover, as anybody can read and write them.
struct RawHead: Hashable {
  /// A row of `slot`, whose key is the id inside of the record.
  struct Slot: Hashable {
    var record: [UInt8]
    var label: [UInt8]

    var id: [UInt8] { Array(record[8..<24]) }
  }

  var record: [UInt8]
  var state: [UInt8]
  var slots: [Slot]
  /// The group records by ascending group id.
  var groups: [[UInt8]]

  static let slotCountRange = 40..<44
  static let groupCountRange = 44..<48
  static let checksumRange = 48..<64
  static let adminTagRange = 64..<96

  /// What checksum and admin tag are computed over (file format, head record).
  var body: [UInt8] {
    var body = Array(record[..<48])
    body.append(lengthPrefixed: state.span)
    for slot in slots.sorted(by: { $0.id.lexicographicallyPrecedes($1.id) }) {
      body += slot.record
      body.append(lengthPrefixed: slot.label.span)
    }
    return groups.reduce(body, +)
  }

  /// Makes the counts say how many slots and groups there are.
  mutating func fixCounts() {
    setCount(slots.count, at: Self.slotCountRange)
    setCount(groups.count, at: Self.groupCountRange)
  }

  /// Makes a count say anything.
  mutating func setCount(_ count: Int, at range: Range<Int>) {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt32(count))
    record.replaceSubrange(range, with: bytes)
  }

  /// Recomputes the checksum, which needs no key.
  mutating func fixChecksum() throws {
    let checksum: InlineArray<16, UInt8> = try SHA512.check(.checksum, body.span)
    record.replaceSubrange(Self.checksumRange, with: checksum.indices.map { checksum[$0] })
  }

  /// What a slot's box is bound to beside its own bytes: the epoch of the key in it, but for the first.
  func boundEpoch(of slot: [UInt8]) -> [UInt8] {
    let group = groups.first { $0[..<16] == slot[24..<40] }
    let epoch = Array(group?[16..<24] ?? record[24..<32])
    return epoch == [0, 0, 0, 0, 0, 0, 0, 1] ? [] : epoch
  }

  /// The slot at which a credential of these factors is tried.
  func slotIndex(factors: Factors) throws -> Int {
    guard let index = slots.firstIndex(where: { $0.record[1] == factors.rawValue }) else {
      throw RawVault.Failure(message: "there is no such slot")
    }
    return index
  }
}

extension RawVault {
  /// Reads head, slots and group records.
  func head() throws -> RawHead {
    let head = try execute("SELECT record, state FROM head")[0]
    let slots = try execute("SELECT record, label FROM slot ORDER BY slot_id")
    let groups = try execute("SELECT record FROM grp ORDER BY group_id")
    return RawHead(
      record: head[0].bytes,
      state: head[1].bytes,
      slots: slots.map { RawHead.Slot(record: $0[0].bytes, label: $0[1].bytes) },
      groups: groups.map { $0[0].bytes }
    )
  }

  /// Writes head and slots, the keys of the slots' rows included.
  func put(_ head: RawHead) throws {
    try execute("BEGIN")
    try execute("UPDATE head SET record = ?, state = ?", [.blob(head.record), .blob(head.state)])
    try execute("DELETE FROM slot")
    for slot in head.slots {
      try execute(
        "INSERT INTO slot VALUES (?, ?, ?)",
        [.blob(slot.id), .blob(slot.record), .blob(slot.label)]
      )
    }
    try execute("COMMIT")
  }

  /// Edits head and slots and makes the checksum fit, as an attacker would.
  func editHead(_ edit: (inout RawHead) throws -> Void) throws {
    var head = try head()
    try edit(&head)
    try head.fixChecksum()
    try put(head)
  }
}
