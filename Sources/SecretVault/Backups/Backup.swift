import VaultCrypto
import VaultDatabase
import VaultFormat

extension VaultAdministration {
  /// Writes an exact, still sealed copy of the vault into a new file of mode 0600.
  ///
  /// The copy is one state, whatever others write meanwhile, and nobody waits for it. It gets its name when it is durable
  /// and verified: its structure, every page, and every box that can be opened on this device. What this machine
  /// remembers of the vault is neither asked nor changed. The copy is one file, which can also be read where nothing can
  /// be written; it opens with the slots that the vault has now.
  ///
  /// - Throws: ``VaultError``: `vaultExists` where the name is taken, or the log of an earlier file is beside it,
  ///   `insecureFile` where others can write to the folder, `busy` while another backup to that path is made, `tampered`
  ///   where the vault is damaged, `full`.
  public func backup(to path: String) throws(VaultError) {
    let rules = FileRules(allowsForeignOwner: store.options.allowsForeignOwner)
    guard let target = try VaultLocation(path, rules: rules) else {
      throw VaultError(.inputOutput, "the folder of the backup does not exist; make it first")
    }
    try withRights { rights throws(VaultError) in
      guard try target.identity() == nil else { throw VaultError(.vaultExists) }
      try UnfinishedCopy.requireNoLog(beside: target)
      var copy = try UnfinishedCopy.make(beside: target)
      try copy.fill(from: rights.session.connection)
      try verify(copy, rights)
      try store.requireNoPendingLock()
      try copy.rename()
    }
  }

  private func verify(
    _ copy: borrowing UnfinishedCopy,
    _ rights: borrowing Rights
  ) throws(VaultError) {
    let session = try copy.makeSession(.immutable)
    defer {
      session.forgetAll()
      session.connection.close()
    }
    let report = try session.inReadTransaction { () throws(VaultError) in
      let contents = try authenticContents(rights, readBy: session)
      let open = try openGroups(of: contents, rights, session)
      var check = VaultCheck(open)
      try check.checkContents(session) { () throws(VaultError) in try store.requireNoPendingLock() }
      return check.report
    }
    guard report.isSound else {
      throw VaultError(
        .tampered,
        "the vault is damaged, so the backup was not kept; check the vault to learn what to mend"
      )
    }
  }

  /// Opens every group with the root key, without an anchor.
  private func openGroups(
    of contents: VaultContents,
    _ rights: borrowing Rights,
    _ session: Session
  ) throws(VaultError) -> OpenGroups {
    let opening = GroupOpening(
      vaultID: rights.vaultID,
      connection: session.connection,
      cipher: session.cipher.gcm
    )
    let device = try store.deviceKey()
    var open = OpenGroups()
    open.deviceID = rights.open.deviceID
    for (row, record) in zip(contents.groupRows, contents.groups) {
      let group = try opening.open(
        row,
        record,
        key: try opening.groupKey(of: record, root: rights.root),
        device: device,
        anchor: nil
      )
      open.groups.append(group)
    }
    return open
  }
}
