extension VaultAdministration {
  /// Verifies everything: owners and modes of the files, what this machine remembers, the structure of the file, head,
  /// slots and their strength, every page and every box.
  ///
  /// - Throws: ``VaultError`` where the check itself cannot be done; damage is reported.
  public func check() throws(VaultError) -> CheckReport {
    try withRights { rights throws(VaultError) in
      var check = VaultCheck(rights.open)
      check.checkFiles(of: store, rights.vaultID)
      return try rights.session.inReadTransaction { () throws(VaultError) in
        let contents = try authenticContents(rights)
        check.checkSlots(contents)
        // Others may have made groups since this was opened.
        check.open.groups = try store.openGroups(contents, rights)
        try check.checkContents(rights.session) { () throws(VaultError) in
          try store.requireNoPendingLock()
        }
        return check.report
      }
    }
  }
}
