import VaultDatabase

/// A file that a vault is to be restored from.
struct BackupFile {
  private let location: VaultLocation
  private let identity: FileIdentity

  /// Finds the file and checks that it is private, without opening it.
  ///
  /// - Throws: ``VaultError``: `vaultMissing`, `insecureFile`.
  init(_ path: String, options: SecretStore.Options) throws(VaultError) {
    let rules = FileRules(allowsForeignOwner: options.allowsForeignOwner)
    guard let location = try VaultLocation(path, rules: rules),
      try location.identity() != nil
    else { throw VaultError(.vaultMissing, "there is no such backup; check the path") }
    self.location = location
    identity = try location.check()
  }

  /// Throws where this is the file of the vault itself.
  func requireOther(than vault: VaultLocation) throws(VaultError) {
    guard try vault.identity() != identity else {
      throw VaultError(.invalidArgument, "that is the vault itself; name a backup of it")
    }
  }

  /// Copies the contents, which are judged in the copy, where nobody else can change them.
  ///
  /// A log that was copied together with a vault belongs to it. Without one nothing is made beside the backup, which may be on
  /// read-only media.
  func fill(_ copy: borrowing UnfinishedCopy) throws(VaultError) {
    let database = SQLiteDatabase(path: location.path, busyTimeout: 0)
    do {
      let connection = try database.connect(
        try location.hasPendingLog() ? .readOnly : .immutable
      )
      defer { connection.close() }
      try copy.fill(from: connection)
    } catch {
      throw VaultError(translating: error)
    }
  }

  /// Runs `body`, which reads the backup or its copy, so that what is damaged there is not told of the vault.
  static func judged<Result: ~Copyable>(
    _ body: () throws(VaultError) -> Result
  ) throws(VaultError) -> Result {
    do throws(VaultError) {
      return try body()
    } catch  where [.notAVault, .corruptHeader, .tampered].contains(error.code) {
      throw damaged(error.code)
    }
  }

  /// Says that the backup is not to be used.
  static func damaged(_ code: VaultError.Code) -> VaultError {
    VaultError(code, "the backup is damaged; nothing was changed, use another")
  }
}
