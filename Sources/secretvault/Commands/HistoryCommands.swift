import SecretVault

/// `history`: writes which earlier secrets of an item there are.
struct HistoryCommand: Command {
  static let declaration = CommandDeclaration(
    name: "history",
    summary: "list the earlier secrets of an item: version and last change, newest first",
    operands: [.service, .account],
    options: [.item, .credentials, .vault],
    notes: [
      "Earlier secrets are kept where --history of set, add or edit says how many. Together they have at"
        + " most 2 MiB; the oldest go first. No secret is shown."
    ]
  )

  private let vault: VaultAccess
  private let item: ItemArguments

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    item = ItemArguments(arguments)
  }

  func run(_ console: Console) throws {
    let versions = try vault.withItems(console) { store in try store.history(of: item.identity) }
    if console.usesJSON {
      let entries = versions.map { version in
        JSON.object([
          ("version", .number(version.version)),
          ("modified", TimestampText.utc(version.modified).map { .string($0) } ?? .null),
        ])
      }
      return try console.output.write(line: .document([("history", .array(entries))]))
    }
    for version in versions {
      let modified = TimestampText.utc(version.modified) ?? "-"
      try console.output.write("\(version.version)\t\(modified)\n")
    }
  }
}

/// `restore-version`: makes an earlier secret of an item the present one.
struct RestoreVersionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "restore-version",
    summary: "give an item an earlier secret again; the present one goes into its history",
    operands: [
      .service, .account, CommandDeclaration.Operand(name: "VERSION", isRequired: true),
    ],
    options: [.item, .credentials, .vault],
    notes: ["VERSION is one that history lists. The attributes stay as they are."]
  )

  private let vault: VaultAccess
  private let item: ItemArguments
  private let version: UInt64

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    let name = Array(arguments.operands.dropLast())
    item = ItemArguments(arguments.replacingOperands(with: name))
    version = try ParsedArguments.number(
      arguments.operands.last ?? "",
      in: 0...UInt64.max,
      for: "VERSION"
    )
  }

  func run(_ console: Console) throws {
    try vault.withItems(console) { store in
      try store.restoreVersion(version, of: item.identity)
    }
  }
}
