import SecretVault

/// `delete`: removes one item, exactly named.
struct DeleteCommand: Command {
  static let declaration = CommandDeclaration(
    name: "delete",
    aliases: ["rm"],
    summary: "delete one item, exactly named",
    operands: [.service, .account],
    options: [
      OptionGroup("when to refuse", [.ignoreMissing]), .item, .credentials, .vault,
    ]
  )

  private let vault: VaultAccess
  private let item: ItemArguments
  private let ignoresMissing: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    item = ItemArguments(arguments)
    ignoresMissing = arguments.has(.ignoreMissing)
  }

  func run(_ console: Console) throws {
    try vault.withItems(console) { store in
      if try store.remove(item.identity) {
        LogEmptying.run(console, "the item is deleted", store.emptyLog)
      } else if !ignoresMissing {
        throw Failure.itemNotFound
      }
    }
  }
}
