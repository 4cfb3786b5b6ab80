import SecretVault

/// `get`: writes a secret, and nothing else.
struct GetCommand: Command {
  static let declaration = CommandDeclaration(
    name: "get",
    summary: "write the secret, and nothing else",
    operands: [.service, .account],
    options: [
      .item, OptionGroup("which", [.allowExpired]),
      OptionGroup("its form", [.newline, .noNewline, .force]),
      .credentials, .vault,
    ],
    notes: ["A newline is added on a terminal only, unless an option decides."]
  )

  private let vault: VaultAccess
  private let item: ItemArguments
  private let allowsExpired: Bool
  private let output: SecretOutput

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    item = ItemArguments(arguments)
    allowsExpired = arguments.has(.allowExpired)
    output = try SecretOutput(arguments)
  }

  func run(_ console: Console) throws {
    let secret = try vault.withItems(console) { store in
      try store.secret(for: item.identity, allowingExpired: allowsExpired)
    }
    guard let secret else { throw Failure.itemNotFound }
    try output.write(secret, to: console)
  }
}
