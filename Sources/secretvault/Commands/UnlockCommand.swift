import SecretVault
import VaultAgent

/// `unlock`: lets the agent open the vault, so that nothing has to be typed for a while.
struct UnlockCommand: Command {
  static let declaration = CommandDeclaration(
    name: "unlock",
    summary: "unlock the vault once for all commands, until it is locked again",
    options: [
      OptionGroup("for how long, else as the agent was started", [.idle, .lifetime]),
      .credentials, .vault,
    ],
    notes: [
      "The agent is started where none runs, with --allow-unlocked-memory if that is given; one that runs"
        + " stays as it is. A vault that is unlocked stays as it is, without a question."
    ]
  )

  private let vault: VaultAccess
  private let limits: AgentLimits

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    limits = try AgentLimits(arguments)
  }

  func run(_ console: Console) throws {
    let status = try vault.unlockInAgent(limits, console)
    try StatusReport(vault.location, status).write(to: console)
  }
}
