import SecretMemory
import VaultCrypto
import VaultDatabase
import VaultFormat

/// Turns a group's row and its key into an open group.
struct GroupOpening {
  let vaultID: Identifier
  let connection: any DatabaseConnection
  let cipher: GCM

  /// Unwraps the group key of a record.
  ///
  /// - Throws: ``VaultError`` with the code `tampered`.
  func groupKey(
    of record: GroupRecord,
    root: borrowing Key<Role.Root>
  ) throws(VaultError) -> Key<Role.Group> {
    do {
      var secret = try SecretKey()
      let context = Self.wrapContext(record.header, vaultID: vaultID)
      _ = try root.wrapKey().sealingContext().opening(
        record.box.span,
        salt: record.salt.bytes.span,
        context: context.span,
        using: cipher,
        into: &secret
      )
      return Key(secret)
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// What a wrapped group key is bound to.
  static func wrapContext(_ header: [UInt8], vaultID: Identifier) -> [UInt8] {
    var context = Label.group.tag
    vaultID.append(to: &context)
    return context + header
  }

  /// Derives the session's keys from the group key, which ends here, and verifies the manifest.
  func open(
    _ row: GroupRow,
    _ record: GroupRecord,
    key: consuming Key<Role.Group>,
    device: borrowing Key<Role.Device>?,
    anchor: Anchor?
  ) throws(VaultError) -> OpenGroup {
    do {
      let scope = ManifestScope(vaultID: vaultID, groupID: record.id, epoch: record.epoch)
      let keys = try GroupKeys(key, device: device, vaultID: vaultID, groupID: record.id)
      let snapshot = try GroupSnapshot.verify(
        row,
        record: record,
        scope: scope,
        manifest: try keys.manifest.expander()
      )
      var name = name(in: row, scope, key: key) ?? []
      defer { ConstantTime.wipe(&name) }
      let nameTag = try Self.nameTag(name, keys.index)
      return OpenGroup(
        scope: scope,
        row: row.row,
        keys: keys,
        name: name.isEmpty ? nil : WipedBytes(copying: name.span),
        nameTag: nameTag,
        anchor: anchor,
        snapshot: snapshot
      )
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Opens a group's name; a damaged one hides the group from those who ask for it by name, and nothing else.
  func name(
    in row: GroupRow,
    _ scope: ManifestScope,
    key: borrowing Key<Role.Group>
  ) -> [UInt8]? {
    try? PaddedText.open(
      row.name,
      with: key.nameKey().sealingContext(),
      context: Self.nameContext(scope),
      using: cipher
    )
  }

  private static func nameTag(
    _ name: [UInt8],
    _ index: borrowing Key<Role.Index>
  ) throws(CryptoError) -> Digest {
    Digest(
      try index.expander().expand(.groupName) { hmac throws(CryptoError) in
        try hmac.update(UInt32(clamping: name.count))
        try hmac.update(name.span)
      }
    )
  }

  /// What a group's name is bound to.
  static func nameContext(_ scope: ManifestScope) -> [UInt8] {
    var context = Label.name.tag
    scope.vaultID.append(to: &context)
    scope.groupID.append(to: &context)
    return context
  }
}
