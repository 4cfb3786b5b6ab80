import SecretVault

extension CommandDeclaration.Operand {
  /// The name of an access group.
  static let group = Self(name: "NAME", isRequired: true)
}

/// `group create`: adds an access group.
struct GroupCreateCommand: Command {
  static let declaration = CommandDeclaration(
    name: "group create",
    summary: "add an access group, whose items can be shared without the others",
    operands: [.group],
    options: [.credentials, .vault],
    notes: ["What opens the whole vault opens the new group too; group share opens it to others."]
  )

  private let vault: VaultAccess
  private let group: String

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    group = arguments.operand(0) ?? ""
  }

  func run(_ console: Console) throws {
    try vault.withAdministration(console) { try $0.createGroup(group) }
    if console.usesJSON {
      try console.output.write(line: .document([("group", .string(group))]))
    }
  }
}

/// `group list`: writes the access groups of the vault.
struct GroupListCommand: Command {
  static let declaration = CommandDeclaration(
    name: "group list",
    summary: "list the access groups: name, number of items, slots that open this group alone",
    options: [.credentials, .vault],
    notes: ["A name that is damaged is shown as the group's id in angle brackets."]
  )

  private let vault: VaultAccess

  init(_ arguments: ParsedArguments) throws(Failure) { vault = try VaultAccess(arguments) }

  func run(_ console: Console) throws {
    let groups = try vault.withAdministration(console) { try $0.groups() }
    if console.usesJSON {
      let entries = groups.map(Self.document)
      return try console.output.write(line: .document([("groups", .array(entries))]))
    }
    for group in groups {
      let fields = [
        group.name.map(TextEscaping.escaped) ?? "<\(group.id)>", String(group.itemCount),
        group.slots.isEmpty ? "-" : group.slots.joined(separator: ","),
      ]
      try console.output.write(fields.joined(separator: "\t") + "\n")
    }
  }

  private static func document(_ group: GroupSummary) -> JSON {
    .object([
      ("id", .string(group.id)),
      ("name", group.name.map { .string($0) } ?? .null),
      ("items", .number(UInt64(clamping: group.itemCount))),
      ("slots", .array(group.slots.map { .string($0) })),
    ])
  }
}

/// `group share`: lets another credential open one access group and nothing else.
struct GroupShareCommand: Command {
  static let declaration = CommandDeclaration(
    name: "group share",
    summary: "let another passphrase or key file open one access group alone",
    operands: [.group],
    options: [
      OptionGroup(
        "the new slot; else the terminal asks for a passphrase",
        [.newPassphraseDescriptor, .newPassphraseFile, .newKeyFile, .generateKeyFile, .label]
      ),
      .credentials, .vault,
    ],
    notes: [
      "Who has it can read and write every item of the group, and nothing of another group.",
      "A passphrase and a key file together make one slot that needs both.",
    ]
  )

  private let vault: VaultAccess
  private let credentials: NewCredentials
  private let group: String
  private let label: String

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    credentials = try NewCredentials(arguments, acceptsPlain: false)
    group = arguments.operand(0) ?? ""
    label = arguments.value(of: .label) ?? ""
  }

  func run(_ console: Console) throws {
    let id = try vault.withAdministration(console) { administration in
      // Told before a passphrase is asked for and files are made.
      guard try administration.hasGroup(named: group) else {
        throw Failure.noSuchGroup
      }
      return try NewFiles.keptOnSuccess { files in
        let slots = try credentials.slots(either: false, label: label, console, files)
        guard var slot = slots.first else { throw Failure.passphraseNeeded }
        slot.group = group
        return try administration.addSlot(slot)
      }
    }
    if console.usesJSON {
      try console.output.write(line: .document([("slot", .string(id))]))
    } else {
      try console.output.write(id + "\n")
    }
  }
}

extension Failure {
  /// The vault has no access group of that name.
  fileprivate static let noSuchGroup = Failure.usage(
    "there is no such access group; secretvault group list shows those there are"
  )
}

extension VaultAdministration {
  /// Whether there is a group of that name, compared byte for byte.
  fileprivate func hasGroup(named name: String) throws(VaultError) -> Bool {
    try groups().contains { $0.name?.utf8.elementsEqual(name.utf8) ?? false }
  }
}
