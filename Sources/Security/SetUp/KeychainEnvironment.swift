import Foundation
package import SecretVault

/// Where the vault is, what opens it and which access groups may be used, as environment variables say.
package struct KeychainEnvironment {
  private let variables: [String: String]

  /// Takes the variables of a process.
  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  /// Opens the vault with the first credential that is named; where that one alone does not, together with
  /// one of the other factor.
  ///
  /// - Throws: `VaultError`: `credentialRejected` where none is named or none opens the vault, and what
  ///   opening it throws.
  package func open() throws(VaultError) -> Keychain {
    let path = try path()
    guard let first = sources.first else {
      throw VaultError(
        .credentialRejected,
        "nothing that opens it is named; set SECRETVAULT_KEY_FILE or SECRETVAULT_PASSPHRASE_FILE"
      )
    }
    do throws(VaultError) {
      return try open(path, .single(first))
    } catch  where error.code == .credentialRejected {
      guard let other = sources.first(where: { $0.isKey != first.isKey }) else { throw error }
      let pair = first.isKey ? (first, other) : (other, first)
      return try open(path, .pair(key: pair.0, passphrase: pair.1))
    }
  }

  private func open(_ path: String, _ source: CredentialSource) throws(VaultError) -> Keychain {
    var options = SecretStore.Options()
    options.stateDirectory = stateDirectory
    options.sharedWith = try value(of: "SECRETVAULT_SHARED_WITH").map(UnixGroup.init)
    let store = try SecretStore.open(
      at: path,
      lockState: AlwaysUnlocked { try source.read() },
      options: options
    )
    guard let listed = variables["SECRETVAULT_ACCESS_GROUPS"] else {
      let standard = SecretStore.defaultGroupName
      let open = store.openedGroups
      return Keychain(store, accessGroups: open.contains(standard) ? [standard] : open)
    }
    let keychain = Keychain(store, accessGroups: listed.split(separator: ":").map(String.init))
    try store.makeGroups(keychain.groups, with: try source.read())
    return keychain
  }

  /// The named files, in the order of precedence.
  private var sources: [CredentialFile] {
    let folder = value(of: "CREDENTIALS_DIRECTORY")
    let files: [CredentialFile?] = [
      value(of: "SECRETVAULT_KEY_FILE").map { CredentialFile(path: $0, isKey: true) },
      value(of: "SECRETVAULT_PASSPHRASE_FILE").map { CredentialFile(path: $0, isKey: false) },
      folder.map { CredentialFile(path: $0 + "/secretvault.key", isKey: true) }?.ifExists,
      folder.map { CredentialFile(path: $0 + "/secretvault.passphrase", isKey: false) }?.ifExists,
    ]
    return files.compactMap(\.self)
  }

  private func path() throws(VaultError) -> String {
    if let path = value(of: "SECRETVAULT_PATH") { return path }
    if let data = variables["XDG_DATA_HOME"], data.hasPrefix("/") {
      return data + "/secretvault/default.vault"
    }
    guard let home = variables["HOME"], home.hasPrefix("/") else {
      throw VaultError(.vaultMissing, "no vault is named; set SECRETVAULT_PATH")
    }
    return home + "/.local/share/secretvault/default.vault"
  }

  /// A variable's text; an empty one counts as unset.
  private func value(of name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The state folder, or `nil` for the one of the library.
  private var stateDirectory: String? {
    if let path = value(of: "SECRETVAULT_STATE") { return path }
    // systemd.exec(5): several state directories are joined with colons.
    return variables["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
  }
}
