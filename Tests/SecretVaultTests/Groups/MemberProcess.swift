import SecretVault
import VaultDatabase

/// What a member can write into the file against another group.
enum Forgery: String, CaseIterable, Codable, Sendable {
  case ownBox
  case boxSealedAnew
  case claimRemoved
  case pageRemoved
  case groupSignedWithOwnKey
  case groupRemoved
}

/// What a member can write into head, slots and group records, which the own slot does not need.
enum HeadForgery: String, CaseIterable, Codable, Sendable {
  case ownSlotAgain
  case ownSlotRemoved
  case sharingGroup
  case groupKeyReplaced
}

/// What the member's program has.
struct MemberProcess: Codable, Sendable {
  let path: String
  let keyFile: [UInt8]
  /// The id of the attacked group, which stands in the file for all to see.
  let target: String

  var targetID: [UInt8] {
    stride(from: 0, to: target.utf8.count, by: 2).map { offset in
      let start = target.index(target.startIndex, offsetBy: offset)
      return UInt8(target[start...].prefix(2), radix: 16) ?? 0
    }
  }

  func insider(_ raw: RawVault, posingIn group: [UInt8]? = nil) throws -> GroupInsider {
    try GroupInsider(raw, groupKeyFile: SecretBytes(copying: keyFile), posingIn: group)
  }

  /// Writes a forgery into the file.
  func commit(_ forgery: Forgery) throws {
    let raw = try RawVault(path)
    let own = try insider(raw)
    let posing = try insider(raw, posingIn: targetID)
    var item = try raw.items(of: targetID)[0]
    switch forgery {
    case .ownBox:
      item.secret = try own.item(GroupVault.work).secret
      try raw.putBox(item)
    case .boxSealedAnew:
      item.secret = try posing.seal(
        GroupInsider.padded(Array("forged".utf8)),
        as: .secret,
        of: item
      )
      try raw.putBox(item)
    case .claimRemoved: try raw.deleteClaim(item)
    case .pageRemoved:
      try raw.deleteClaim(item)
      try raw.execute("DELETE FROM page WHERE group_id = ?", [.blob(targetID)])
    case .groupSignedWithOwnKey:
      try raw.deleteClaim(item)
      try posing.sign()
    case .groupRemoved:
      try raw.execute("DELETE FROM grp WHERE group_id = ?", [.blob(targetID)])
      try raw.editHead { $0.fixCounts() }
    }
  }

  /// Writes a forgery of the head into the file.
  func commit(_ forgery: HeadForgery) throws {
    let raw = try RawVault(path)
    let own = try insider(raw)
    let index = try raw.head().slots.firstIndex { $0.record[24..<40].elementsEqual(own.groupID) }
    switch forgery {
    case .ownSlotAgain:
      try raw.editHead { head in
        var slot = head.slots[index ?? 0]
        slot.record[8] ^= 1
        head.slots.append(slot)
        head.fixCounts()
      }
    case .ownSlotRemoved:
      try raw.editHead { head in
        head.slots.remove(at: index ?? 0)
        head.fixCounts()
      }
    case .sharingGroup: try raw.editHead { $0.state = [2, 0, 0, 0, 4, 0, 0, 0, 0] }
    case .groupKeyReplaced:
      let record = try raw.head().groups.first { $0.starts(with: own.groupID) } ?? []
      try raw.execute(
        "UPDATE grp SET record = ? WHERE group_id = ?",
        [.blob(targetID + record[16...]), .blob(targetID)]
      )
      try raw.editHead { _ in }
    }
  }

  /// Puts a group's rows of an older copy in the place of the newer ones.
  func rollBack(_ group: [UInt8], to copy: String) throws {
    let raw = try RawVault(path)
    let older = try RawVault(copy)
    for item in try older.items(of: group) {
      try raw.putClaim(item, in: group)
      try raw.putBox(item)
    }
    for table in ["page", "grp"] {
      let rows = try older.execute("SELECT * FROM \(table) WHERE group_id = ?", [.blob(group)])
      try raw.execute("DELETE FROM \(table) WHERE group_id = ?", [.blob(group)])
      for row in rows {
        let parameters = row.map { _ in "?" }.joined(separator: ", ")
        try raw.execute("INSERT INTO \(table) VALUES (\(parameters))", row)
      }
    }
  }
}
