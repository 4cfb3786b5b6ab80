import SecretVault

/// `set`: inserts or replaces a secret.
struct SetCommand: Command {
  static let declaration = CommandDeclaration(
    name: "set",
    summary: "store a secret, replacing one of that name",
    operands: [.service, .account],
    options: [
      .secret, .item, .attributes, OptionGroup("when to refuse", [.noClobber, .ifVersion]),
      .credentials, .vault,
    ],
    notes: ["Every byte counts, a newline at the end too; --strip-newline drops one."]
  )

  private let write: SecretWrite
  private let noClobber: Bool
  private let version: UInt64?

  init(_ arguments: ParsedArguments) throws(Failure) {
    write = try SecretWrite(arguments)
    noClobber = arguments.has(.noClobber)
    version = try arguments.number(of: .ifVersion, in: 0...UInt64.max)
    if noClobber, version != nil {
      throw .usage("--no-clobber and --if-version exclude each other; give one")
    }
  }

  func run(_ console: Console) throws {
    try write.run(console, ifAbsent: noClobber, ifVersion: version)
  }
}

/// `add`: stores a secret whose name must be new.
struct AddCommand: Command {
  static let declaration = CommandDeclaration(
    name: "add",
    summary: "store a secret under a new name; an existing item is refused (5)",
    operands: [.service, .account],
    options: [.secret, .item, .attributes, .credentials, .vault],
    notes: SetCommand.declaration.notes
  )

  private let write: SecretWrite

  init(_ arguments: ParsedArguments) throws(Failure) { write = try SecretWrite(arguments) }

  func run(_ console: Console) throws {
    try write.run(console, ifAbsent: true, ifVersion: nil)
  }
}

/// What `set` and `add` do alike.
private struct SecretWrite {
  private let vault: VaultAccess
  private let item: ItemArguments
  private let changes: ItemChanges
  private let source: SecretSource
  private let stripsNewline: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    item = ItemArguments(arguments)
    changes = try ItemChanges(arguments)
    source = try SecretSource(arguments)
    stripsNewline = arguments.has(.stripNewline)
  }

  /// Unlocks first, so that a wrong passphrase is known before a secret is typed.
  func run(_ console: Console, ifAbsent: Bool, ifVersion version: UInt64?) throws {
    try vault.withItems(console) { store in
      let read = try source.read(console)
      let secret = stripsNewline ? try read.droppingTrailingNewline() : read
      if ifAbsent {
        var new = SecretItem(identity: item.identity)
        changes.apply(to: &new)
        try store.add(new, secret: secret)
      } else {
        try store.set(secret, for: item.identity, changing: changes, ifVersion: version)
      }
    }
  }
}
