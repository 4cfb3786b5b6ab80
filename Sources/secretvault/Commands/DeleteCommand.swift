import Glibc
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
        emptyLog(of: store, console)
      } else if !ignoresMissing {
        throw Failure.itemNotFound
      }
    }
  }

  /// Empties the write-ahead log, where the sealed bytes of the item still are; readers hinder it.
  ///
  /// The item is deleted in any case, so nothing here is a failure.
  private func emptyLog(of store: any ItemStore, _ console: Console) {
    let deadline = ContinuousClock.now + .seconds(1)
    while (try? store.emptyLog()) != true {
      guard ContinuousClock.now < deadline else {
        return console.note(
          "the item is deleted; its sealed bytes stay in the log until the vault's readers are done"
        )
      }
      _ = poll(nil, 0, 50)
    }
  }
}
