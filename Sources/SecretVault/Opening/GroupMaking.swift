import VaultCrypto
import VaultDatabase
import VaultFormat

/// An access group that was made and has no items yet.
struct NewGroup {
  let record: GroupRecord
  let name: [UInt8]
  let tag: Digest

  func insert(into connection: any DatabaseConnection) throws(DatabaseError) {
    _ = try connection.insertGroup(
      id: record.id.bytes.span,
      record: record.bytes.span,
      counter: 1,
      tag: tag.bytes.span,
      name: name.span,
      state: Span(),
      branches: Span()
    )
  }
}

/// Makes access groups: a random key, wrapped by the root key, and the manifest of no items.
struct GroupMaking {
  let vaultID: Identifier
  let random: RandomSource
  let cipher: GCM

  func make(named name: String, root: borrowing Key<Role.Root>) throws -> NewGroup {
    let nameBytes = Array(name.utf8)
    guard Limits.groupNameByteCounts.contains(nameBytes.count) else {
      throw VaultError(.invalidArgument, "a group name has 1 to 252 bytes; choose another")
    }
    let key = try Key<Role.Group>.random(from: random)
    let scope = ManifestScope(vaultID: vaultID, groupID: Identifier(try random.bytes()), epoch: 1)
    let record = try wrap(key, scope: scope, root: root)
    let sealedName = try PaddedText.seal(
      nameBytes,
      with: key.nameKey().sealingContext(),
      context: GroupOpening.nameContext(scope),
      random: random,
      using: cipher
    )
    let tag = try scope.manifestTag(
      counter: 1,
      items: 0,
      nameSalt: sealedName.span.extracting(GroupSnapshot.nameSaltRange),
      state: Span(),
      branches: Span(),
      using: key.manifestKey().expander()
    )
    return NewGroup(record: record, name: sealedName, tag: tag)
  }

  /// Seals a group's key for the record of its scope.
  func wrap(
    _ key: borrowing Key<Role.Group>,
    scope: ManifestScope,
    root: borrowing Key<Role.Root>
  ) throws -> GroupRecord {
    let salt = Salt(try random.bytes())
    let header = GroupRecord.header(id: scope.groupID, epoch: scope.epoch)
    let context = GroupOpening.wrapContext(header, vaultID: vaultID)
    let sealing = try root.wrapKey().sealingContext()
    let box = try key.withBytes { bytes throws(CryptoError) in
      try SealedBox.seal(
        bytes,
        with: sealing,
        salt: salt.bytes.span,
        context: context.span,
        using: cipher
      )
    }
    return try GroupRecord(id: scope.groupID, epoch: scope.epoch, salt: salt, box: box)
  }
}
