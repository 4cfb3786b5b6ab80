import VaultCrypto
import VaultDatabase
import VaultFormat

/// What an access group is, without its items.
public struct GroupSummary: Hashable, Sendable {
  /// The group's stable name in the file, 32 hexadecimal digits.
  public let id: String
  /// What a person calls it, or `nil` where the name is damaged or no text.
  public let name: String?
  /// How many items are in it.
  public let itemCount: Int
  /// The ids of the slots that open this group alone; those of the whole vault open it as well.
  public let slots: [String]
}

extension VaultAdministration {
  /// The access groups, in the order in which they were made.
  ///
  /// - Throws: ``VaultError``: `tampered` where head, slots or groups are not what their keys made, `keysRotated`.
  public func groups() throws(VaultError) -> [GroupSummary] {
    try withRights { rights throws(VaultError) in
      try rights.session.inReadTransaction { () throws(VaultError) in
        let contents = try authenticContents(rights)
        var summaries: [GroupSummary] = []
        let inOrder = zip(contents.groups, contents.groupRows).sorted { $0.1.row < $1.1.row }
        for (record, row) in inOrder {
          let slots = contents.slots.filter { $0.scope == record.id }.map { $0.id.hex }
          summaries.append(try summary(of: record, row, slots, rights))
        }
        return summaries
      }
    }
  }

  private func summary(
    of record: GroupRecord,
    _ row: GroupRow,
    _ slots: [String],
    _ rights: borrowing Rights
  ) throws(VaultError) -> GroupSummary {
    let opening = groupOpening(rights)
    let key = try opening.groupKey(of: record, root: rights.root)
    let scope = scope(of: record, rights)
    do {
      let snapshot = try GroupSnapshot.verify(
        row,
        record: record,
        scope: scope,
        manifest: try key.manifestKey().expander()
      )
      return GroupSummary(
        id: record.id.hex,
        name: opening.name(in: row, scope, key: key).flatMap(Self.text),
        itemCount: Int(clamping: snapshot.branches.totalItems),
        slots: slots
      )
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// The record of the group of a name, which is compared byte for byte, or `nil` where there is none.
  func record(
    ofGroupNamed name: String,
    _ contents: VaultContents,
    _ rights: borrowing Rights
  ) throws(VaultError) -> GroupRecord? {
    let wanted = Array(name.utf8)
    let open = Dictionary(grouping: rights.open.groups, by: \.scope.groupID)
    for (record, row) in zip(contents.groups, contents.groupRows) {
      if let isNamed = open[record.id]?.first?.hasName(wanted) {
        if isNamed { return record }
      } else if try self.name(of: record, row, rights) == wanted {
        // Another process has made the group since the others were opened.
        return record
      }
    }
    return nil
  }

  /// The name of the group that a slot opens alone; `nil` for the whole vault, and for a damaged name.
  func groupName(
    of slot: SlotRecord,
    _ contents: VaultContents,
    _ rights: borrowing Rights
  ) throws(VaultError) -> String? {
    guard let index = contents.groups.firstIndex(where: { $0.id == slot.scope })
    else { return nil }
    return try name(of: contents.groups[index], contents.groupRows[index], rights)
      .flatMap(Self.text)
  }

  private func name(
    of record: GroupRecord,
    _ row: GroupRow,
    _ rights: borrowing Rights
  ) throws(VaultError) -> [UInt8]? {
    let opening = groupOpening(rights)
    let key = try opening.groupKey(of: record, root: rights.root)
    return opening.name(in: row, scope(of: record, rights), key: key)
  }

  private func scope(of record: GroupRecord, _ rights: borrowing Rights) -> ManifestScope {
    ManifestScope(vaultID: rights.vaultID, groupID: record.id, epoch: record.epoch)
  }

  /// What opens groups with the root key, over the connection of the administration.
  func groupOpening(_ rights: borrowing Rights) -> GroupOpening {
    GroupOpening(
      vaultID: rights.vaultID,
      connection: rights.session.connection,
      cipher: rights.session.cipher.gcm
    )
  }

  private static func text(_ name: [UInt8]) -> String? {
    String(validating: name, as: UTF8.self)
  }
}
