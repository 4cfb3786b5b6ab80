import SecretVault

/// `show`: writes the attributes of an item.
struct ShowCommand: Command {
  static let declaration = CommandDeclaration(
    name: "show",
    summary: "show the attributes of an item, the secret only with --reveal",
    operands: [.service, .account],
    options: [.item, OptionGroup("what to show", [.reveal]), .credentials, .vault]
  )

  private let vault: VaultAccess
  private let item: ItemArguments
  private let reveals: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    item = ItemArguments(arguments)
    reveals = arguments.has(.reveal)
  }

  func run(_ console: Console) throws {
    let (found, secret) = try vault.withItems(console) { store in
      let identity = item.identity
      return (try store.item(for: identity), reveals ? try store.secret(for: identity) : nil)
    }
    guard let found else { throw Failure.itemNotFound }
    let text = ItemText(found)
    if console.usesJSON {
      let revealed: [(name: String, value: JSON)] = secret.map { [("secret", .secret($0))] } ?? []
      try console.output.write(line: .document([("item", .object(text.members + revealed))]))
    } else {
      for field in text.fields { try console.output.write("\(field.name): \(field.value)\n") }
      try writeSecretLine(secret, console)
    }
  }

  private func writeSecretLine(_ secret: SecretBytes?, _ console: Console) throws {
    guard let secret else {
      let remark = reveals ? "none" : "hidden; --reveal shows it"
      return try console.output.write("secret: (\(remark))\n")
    }
    let isPrintable = secret.withBytes { TextEscaping.isPrintable($0) }
    try console.output.write("secret: ")
    try console.output.write(secret, escaping: .line(keepsHighBytes: isPrintable))
    try console.output.write("\n")
  }
}
