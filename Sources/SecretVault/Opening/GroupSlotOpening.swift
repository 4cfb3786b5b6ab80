import VaultCrypto
import VaultDatabase
import VaultFormat

extension VaultOpening {
  /// Opens the groups that some slots give.
  ///
  /// Head and slots cannot be authenticated with their keys.
  func openGroups(
    _ before: VaultContents,
    _ slots: [SlotRecord],
    _ slotKeys: SlotKeys,
    _ session: Session
  ) throws(VaultError) -> (contents: VaultContents, groups: OpenGroups)? {
    let vaultID = before.head.vaultID
    let anchors = try slots.map { slot throws(VaultError) in
      try store.anchor(vaultID, scope: slot.scope)
    }
    let device = try store.deviceKey()
    let open = try session.inReadTransaction {
      () throws(VaultError) -> (contents: VaultContents, groups: OpenGroups)? in
      let contents = try VaultContents(reading: session.connection)
      guard contents.hasSameHead(as: before) else { return nil }
      let opening = GroupOpening(
        vaultID: vaultID,
        connection: session.connection,
        cipher: session.cipher.gcm
      )
      var open = OpenGroups()
      open.isShared = store.options.sharedWith != nil
      for (slot, anchor) in zip(slots, anchors)
      where !open.groups.contains(where: { $0.scope.groupID == slot.scope }) {
        guard let index = contents.groups.firstIndex(where: { $0.id == slot.scope }),
          let key = try slotKeys.open(slot, of: contents, as: Role.Group.self)
        else { throw VaultError(.tampered) }
        let group = try opening.open(
          contents.groupRows[index],
          contents.groups[index],
          key: key,
          device: device,
          anchor: anchor
        )
        try require(group.snapshot.verified, follows: anchor)
        open.groups.append(group)
      }
      open.deviceID = try deviceID(device, vaultID)
      return (contents, open)
    }
    guard let open else { return nil }
    remember(open.contents, open.groups, rootAnchor: nil, session)
    for slot in slots { noteWeakness(of: slot) }
    return open
  }
}
