import SecretVault

/// `passphrase`: replaces the passphrase that opens the vault.
struct PassphraseCommand: Command {
  static let declaration = CommandDeclaration(
    name: "passphrase",
    summary: "change the passphrase, asking for the old one",
    options: [
      OptionGroup(
        "the new passphrase; else the terminal",
        [.newPassphraseDescriptor, .newPassphraseFile]
      ),
      .credentials, .vault,
    ],
    notes: [
      "This revokes nothing: a copy of the vault that was made before still opens with the old"
        + " passphrase, and so do its keys. rotate makes new ones."
    ]
  )

  private let vault: VaultAccess
  private let credentials: NewCredentials

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    credentials = try NewCredentials(arguments, acceptsPlain: false)
  }

  func run(_ console: Console) throws {
    try vault.withAdministration(console) { administration in
      _ = try administration.changePassphrase(to: credentials.readPassphrase(console))
    }
    console.note(
      "the passphrase is changed; this revokes nothing, copies made before still open with the old"
        + " one; rotate makes new keys"
    )
  }
}
