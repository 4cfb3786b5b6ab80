import SecretVault

/// `edit`: changes attributes and keeps the secret.
struct EditCommand: Command {
  static let declaration = CommandDeclaration(
    name: "edit",
    summary: "change the attributes of an item, keeping its secret",
    operands: [.service, .account],
    options: [
      .attributes, OptionGroup("when to refuse", [.ifVersion]), .item, .credentials, .vault,
    ]
  )

  private let vault: VaultAccess
  private let item: ItemArguments
  private let changes: ItemChanges
  private let version: UInt64?

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    item = ItemArguments(arguments)
    changes = try ItemChanges(arguments)
    version = try arguments.number(of: .ifVersion, in: 0...UInt64.max)
    if changes.isEmpty {
      let names = OptionGroup.attributes.options.map(\.name).joined(separator: ", ")
      throw .usage("edit needs something to change; give one of \(names)")
    }
  }

  func run(_ console: Console) throws {
    try vault.withItems(console) { store in
      try store.update(item.identity) { item, _ in
        if let version, version != item.version { throw Failure.conflict }
        changes.apply(to: &item)
      }
    }
  }
}

/// `rename`: gives an item another service or account.
struct RenameCommand: Command {
  static let declaration = CommandDeclaration(
    name: "rename",
    summary: "give an item another service or account; a taken name is refused (5)",
    operands: [.service, .account],
    options: [OptionGroup("the new name", [.toService, .toAccount]), .item, .credentials, .vault],
    notes: ["What is not given stays as it is."]
  )

  private let vault: VaultAccess
  private let item: ItemArguments
  private let service: String?
  private let account: String?

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    item = ItemArguments(arguments)
    service = arguments.value(of: .toService)
    account = arguments.value(of: .toAccount)
    if service == nil, account == nil {
      throw .usage("rename needs a new name; give --to SERVICE or --to-account ACCOUNT")
    }
  }

  func run(_ console: Console) throws {
    try vault.withItems(console) { store in
      try store.update(item.identity) { item, _ in
        if let service { item.identity.service = AttributeValue(service) }
        if let account { item.identity.account = AttributeValue(account) }
      }
    }
  }
}
