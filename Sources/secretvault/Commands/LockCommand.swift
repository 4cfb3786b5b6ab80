import SecretVault
import VaultAgent

/// `lock`: makes the agent forget the keys of the locked classes.
struct LockCommand: Command {
  static let declaration = CommandDeclaration(
    name: "lock",
    summary: "lock all vaults, or with --vault one; locked already is no failure",
    options: [OptionGroup("which", [.vault])],
    notes: [
      "Without --vault all are locked, whatever SECRETVAULT_PATH says.",
      "Items of the afterFirstUnlock classes are served on, until the vault's --lifetime is over or the agent"
        + " ends.",
    ]
  )

  private let path: String?

  init(_ arguments: ParsedArguments) throws(Failure) {
    path = arguments.value(of: .vault)
    if path?.isEmpty == true { throw .usage("the path of the vault is empty; give --vault PATH") }
  }

  func run(_ console: Console) throws {
    try AgentControl.connect()?.lock(vaultAt: path)
  }
}
