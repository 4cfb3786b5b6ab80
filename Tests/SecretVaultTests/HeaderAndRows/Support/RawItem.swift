import VaultFormat

/// One item as the file holds it: its claim and the three parts of its box.
struct RawItem: Hashable {
  var claim: [UInt8]
  var attributes: [UInt8]
  var secret: [UInt8]
  var history: [UInt8]

  var lookup: [UInt8] { Array(claim[Claim.lookupRange]) }
  var rev: [UInt8] { Array(claim[Claim.revRange]) }
  /// The number of the row in `box`.
  var box: Int64 {
    get { Int64(bitPattern: claim[Claim.boxRange].reduce(0) { $0 << 8 | UInt64($1) }) }
    set {
      claim.removeSubrange(Claim.boxRange)
      claim.append(bigEndian: UInt64(bitPattern: newValue))
    }
  }

  /// The number of the page that the claim belongs to.
  var page: Int64 { Int64(lookup[0]) << 4 | Int64(lookup[1] >> 4) }

  /// The same item with other bytes from an offset of its claim on.
  func replacing(_ offset: Int, with bytes: [UInt8]) -> RawItem {
    var edited = self
    edited.claim.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    return edited
  }
}

extension RawVault {
  /// The ids of the groups, ascending.
  func groupIDs() throws -> [[UInt8]] {
    try execute("SELECT group_id FROM grp ORDER BY group_id").map { $0[0].bytes }
  }

  /// The items of a group by ascending lookup; of the only group where none is given.
  func items(of group: [UInt8]? = nil) throws -> [RawItem] {
    let rows = try execute(
      """
      SELECT item_id, kind, class, flags, device_id, version, lookup, rev, box, \
      attributes, secret, history FROM claim JOIN box ON box.id = claim.box \
      WHERE group_id = ? ORDER BY lookup
      """,
      [.blob(try group ?? groupIDs()[0])]
    )
    return rows.map { row in
      let claim = row[..<9].enumerated().flatMap { index, value in
        (1...3).contains(index) ? value.bytes.suffix(1) : value.bytes[...]
      }
      return RawItem(
        claim: claim,
        attributes: row[9].bytes,
        secret: row[10].bytes,
        history: row[11].bytes
      )
    }
  }

  /// Writes a claim, over one of the same lookup.
  func putClaim(_ item: RawItem, in group: [UInt8]? = nil) throws {
    let claim = item.claim
    let version = claim[Claim.versionRange].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    try execute(
      "INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .blob(try group ?? groupIDs()[0]), .blob(Array(claim[..<16])),
        .integer(Int64(claim[Claim.kindOffset])), .integer(Int64(claim[Claim.accessibilityOffset])),
        .integer(Int64(claim[Claim.flagsOffset])), .blob(Array(claim[Claim.deviceRange])),
        .integer(Int64(version)), .blob(item.lookup), .blob(item.rev), .integer(item.box),
      ]
    )
  }

  /// Writes the boxes of an item, over those of the same number.
  func putBox(_ item: RawItem) throws {
    try execute(
      "INSERT OR REPLACE INTO box VALUES (?, ?, ?, ?)",
      [.integer(item.box), .blob(item.attributes), .blob(item.secret), .blob(item.history)]
    )
  }

  /// Takes a claim away.
  func deleteClaim(_ item: RawItem) throws {
    try execute("DELETE FROM claim WHERE lookup = ?", [.blob(item.lookup)])
  }
}
