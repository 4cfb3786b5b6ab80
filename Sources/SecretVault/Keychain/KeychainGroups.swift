extension SecretStore {
  /// Makes the access groups of a list that do not exist, where the credential opens the whole vault.
  ///
  /// - Throws: ``VaultError``, but for `notPermitted`: what a credential of one group cannot make stays missing.
  package func makeGroups(_ names: [String], with credential: Credential) throws(VaultError) {
    let known = openedGroups
    let missing = names.filter { !known.containsBytes(of: $0) }
    guard !missing.isEmpty else { return }
    do throws(VaultError) {
      let administration = try administration(with: credential)
      defer { administration.end() }
      for name in missing { try administration.makeGroup(name) }
    } catch  where error.code == .notPermitted {
      return
    }
    try unlock(with: credential)
  }
}

extension [String] {
  /// Whether one of the names has the same bytes; Swift takes composed and decomposed letters for equal.
  package func containsBytes(of name: String) -> Bool {
    contains { $0.utf8.elementsEqual(name.utf8) }
  }
}

extension VaultAdministration {
  /// Makes a group, unless another process did so first.
  fileprivate func makeGroup(_ name: String) throws(VaultError) {
    do throws(VaultError) {
      try createGroup(name)
    } catch  where error.code == .duplicateItem {
      // It is there, which is all that is wanted.
    }
  }
}
