import VaultCrypto
import VaultFormat

extension Session {
  /// Throws, inside a write transaction, unless a group can have followed what this machine remembers.
  ///
  /// Without it a commit would lift a group that was rolled back above what is remembered.
  func requireSuccession(of group: OpenGroup) throws(VaultError) {
    let snapshot = try refresh(group, known: group.snapshot)
    guard let known = group.anchor?.remembered else { return }
    try snapshot.verified.requireSuccessor(of: known)
  }
}

extension SecretStore {
  /// The groups of a vault whose head was authenticated.
  ///
  /// Those are opened anew that another has made, or given a new key, since; nothing compares these with what this
  /// machine remembers, as a later state may be remembered while a read transaction lasts.
  func openGroups(
    _ contents: VaultContents,
    _ rights: borrowing VaultAdministration.Rights
  ) throws(VaultError) -> [OpenGroup] {
    var groups: [OpenGroup] = []
    for (record, row) in zip(contents.groups, contents.groupRows) {
      let known = rights.open.groups.first {
        $0.scope.groupID == record.id && $0.scope.epoch == record.epoch
      }
      if let known {
        groups.append(known)
        continue
      }
      // It may hold contexts of a former key.
      rights.session.forgetAll()
      let opening = GroupOpening(
        vaultID: rights.vaultID,
        connection: rights.session.connection,
        cipher: rights.session.cipher.gcm
      )
      groups.append(
        try opening.open(
          row,
          record,
          key: try opening.groupKey(of: record, root: rights.root),
          device: try deviceKey(),
          anchor: try anchor(rights.vaultID, scope: record.id)
        )
      )
    }
    return groups
  }

  /// This user's key on this machine, or `nil` where there is none and none can be made.
  func deviceKey() throws(VaultError) -> Key<Role.Device>? {
    try DeviceKey.load(from: options.stateFolder(rules: location.rules), random: random)
  }
}
