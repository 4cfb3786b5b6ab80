import SecretVault
import TestSupport
import VaultCrypto
import VaultFormat

// What someone can write who holds the keys, and what one without them can repair: the unkeyed checksum.

extension DerivedKeys {
  /// Sets the counter of the first group, and signs it as a member of the group can.
  func setGroupCounter(_ counter: UInt64, in path: String) throws {
    let file = try RawDatabase(path)
    let name = try file.blob("name", from: "grp WHERE id = 1")
    let state = try file.blob("state", from: "grp WHERE id = 1")
    let branches = try file.blob("branches", from: "grp WHERE id = 1")
    let items = UInt64(try file.claims().count)
    let tag = try group.manifestKey().expander().expand(.manifestTag) { hmac throws(CryptoError) in
      try hmac.update(vaultID.bytes.span)
      try hmac.update(groupID.bytes.span)
      try hmac.update(epoch)
      try hmac.update(counter)
      try hmac.update(items)
      try hmac.update(name.span.extracting(0..<SealedBox.saltByteCount))
      try hmac.update(UInt32(state.count))
      try hmac.update(state.span)
      try hmac.update(UInt32(branches.count))
      try hmac.update(branches.span)
    }
    let literal = Digest(tag).array.sql
    try file.execute("UPDATE grp SET counter = \(counter), tag = \(literal) WHERE id = 1")
  }

  /// Sets the counter of the head, and signs it as an administrator can.
  func setAdminCounter(_ counter: UInt64, in path: String) throws {
    let file = try RawDatabase(path)
    try file.rewriteHead { head in
      head.adminCounter = counter
    } sign: { body in
      let tag = try root.adminKey().expander().expand(.adminTag) { hmac throws(CryptoError) in
        try hmac.update(body.span)
      }
      return Digest(tag)
    }
  }

  /// Wraps the group key anew under the same epoch: what a kept record of the same group would be.
  func rewrappedGroupRecord() throws -> GroupRecord {
    let salt = Salt(repeating: 7)
    let header = GroupRecord.header(id: groupID, epoch: epoch)
    let context = Label.group.tag + vaultID.array + header
    let wrapping = try root.wrapKey().sealingContext()
    let cipher = try GCM()
    let box = try group.withBytes { key throws(CryptoError) in
      try SealedBox.seal(
        key,
        with: wrapping,
        salt: salt.bytes.span,
        context: context.span,
        using: cipher
      )
    }
    return try GroupRecord(id: groupID, epoch: epoch, salt: salt, box: box)
  }
}

extension RawDatabase {
  /// Changes the head, and makes its checksum anew, which needs no key.
  func rewriteHead(
    _ change: (inout HeadRecord) -> Void = { _ in },
    sign: ([UInt8]) throws -> Digest? = { _ in nil }
  ) throws {
    let record = try blob("record", from: "head")
    var head = try HeadRecord(parsing: record.span)
    change(&head)
    let labels = try blobs("label", from: "slot ORDER BY slot_id")
    let slots = try blobs("record", from: "slot ORDER BY slot_id")
    let body = HeadRecord.body(
      head: head,
      state: try blob("state", from: "head"),
      slots: zip(slots, labels).map { (record: $0, label: $1) },
      groups: try blobs("record", from: "grp")
    )
    head.checksum = Identifier(try SHA512.check(.checksum, body.span))
    if let tag = try sign(body) { head.adminTag = tag }
    try execute("UPDATE head SET record = \(head.bytes.sql)")
  }
}

extension AnchorRecord {
  /// The whole anchor file, with this record in both cells.
  func fileContents() throws -> [UInt8] {
    let record = bytes
    let check = AnchorCheck(try SHA512.check(.anchor, record.span))
    let cell = try AnchorFile.cell(record: record, check: check)
    return cell + cell
  }
}
