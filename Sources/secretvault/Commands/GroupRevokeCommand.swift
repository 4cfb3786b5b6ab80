import SecretVault

/// `group revoke`: takes an access group away from slots, by a new key for the group.
struct GroupRevokeCommand: Command {
  static let declaration = CommandDeclaration(
    name: "group revoke",
    summary: "take an access group away from slots, named by their ids, by a new key for it",
    operands: [.group, CommandDeclaration.Operand(name: "SLOT", isRequired: true, repeats: true)],
    options: [
      OptionGroup("what stays", [.keepKeyFile, .removeOtherDevices]), .credentials, .vault,
    ],
    notes: RotationWork.notes
  )

  private let vault: VaultAccess
  private let work: RotationWork
  private let group: String
  private let slots: [String]

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    work = RotationWork(arguments)
    group = arguments.operand(0) ?? ""
    slots = Array(arguments.operands.dropFirst())
  }

  func run(_ console: Console) throws {
    var rotation = Rotation(ofGroup: group)
    rotation.revokedSlots = Set(slots)
    try work.run(rotation, on: vault, console)
  }
}
