import SecretVault

/// `slot add`: lets another credential open the vault.
struct SlotAddCommand: Command {
  static let declaration = CommandDeclaration(
    name: "slot add",
    summary: "let another passphrase, key file or recovery code open the vault",
    options: [
      OptionGroup(
        "the new slot; else the terminal asks for a passphrase",
        [
          .newPassphraseDescriptor, .newPassphraseFile, .newKeyFile, .generateKeyFile,
          .recoveryCodeFile, .label,
        ]
      ),
      .credentials, .vault,
    ],
    notes: ["A passphrase and a key file together make one slot that needs both."]
  )

  private let vault: VaultAccess
  private let credentials: NewCredentials
  private let label: String

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    credentials = try NewCredentials(arguments, acceptsPlain: false)
    label = arguments.value(of: .label) ?? ""
    if credentials.wantsRecoveryCodeFile, !credentials.isRecoveryCodeOnly {
      throw .usage("slot add makes one slot; add the recovery code by itself")
    }
  }

  func run(_ console: Console) throws {
    let id = try vault.withAdministration(console) { administration in
      try NewFiles.keptOnSuccess { files in
        try administration.addSlot(newSlot(console, files))
      }
    }
    if console.usesJSON {
      try console.output.write(line: .document([("slot", .string(id))]))
    } else {
      try console.output.write(id + "\n")
    }
  }

  private func newSlot(_ console: Console, _ files: NewFiles) throws -> SecretStore.NewSlot {
    if credentials.isRecoveryCodeOnly {
      let code = try credentials.recoveryCode(files)
      return .init(.recoveryCode(code), label: label.isEmpty ? "recovery code" : label)
    }
    let slots = try credentials.slots(either: false, label: label, console, files)
    guard let slot = slots.first else { throw Failure.passphraseNeeded }
    return slot
  }
}

/// `slot list`: writes what opens the vault.
struct SlotListCommand: Command {
  static let declaration = CommandDeclaration(
    name: "slot list",
    summary: "list what opens the vault: id, what it needs, passphrase cost, reach, label",
    options: [.credentials, .vault]
  )

  private let vault: VaultAccess

  init(_ arguments: ParsedArguments) throws(Failure) { vault = try VaultAccess(arguments) }

  func run(_ console: Console) throws {
    let slots = try vault.withAdministration(console) { try $0.slots() }
    if console.usesJSON {
      let entries = slots.map(Self.document)
      return try console.output.write(line: .document([("slots", .array(entries))]))
    }
    for slot in slots {
      try console.output.write(Self.line(slot))
    }
  }

  /// A slot as one line of fields.
  static func line(_ slot: SlotSummary) -> String {
    let fields = [
      slot.id, needs(slot).joined(separator: "+"), slot.log2N.map { "2^\($0)" } ?? "-",
      reach(of: slot), TextEscaping.escaped(slot.label),
    ]
    return fields.joined(separator: "\t") + "\n"
  }

  private static func reach(of slot: SlotSummary) -> String {
    guard slot.opensOneGroup else { return "vault" }
    return slot.groupName.map { "group " + TextEscaping.escaped($0) } ?? "group"
  }

  /// A slot as JSON.
  static func document(_ slot: SlotSummary) -> JSON {
    .object([
      ("id", .string(slot.id)),
      ("needs", .array(needs(slot).map { .string($0) })),
      ("logN", slot.log2N.flatMap { UInt64(exactly: $0) }.map { .number($0) } ?? .null),
      ("opensOneGroup", .bool(slot.opensOneGroup)),
      ("group", slot.groupName.map { .string($0) } ?? .null),
      ("label", .string(slot.label)),
    ])
  }

  private static func needs(_ slot: SlotSummary) -> [String] {
    let factors = [
      ("passphrase", slot.needsPassphrase), ("key", slot.needsKeyFile),
      ("device", slot.needsDevice),
    ]
    return factors.filter(\.1).map(\.0)
  }
}

/// `slot remove`: takes a credential's way into the vault away.
struct SlotRemoveCommand: Command {
  static let declaration = CommandDeclaration(
    name: "slot remove",
    summary: "let a slot, named by its id, open the vault no longer",
    operands: [CommandDeclaration.Operand(name: "SLOT", isRequired: true)],
    options: [.credentials, .vault],
    notes: [
      "Items of the class whenPasscodeSetThisDeviceOnly go with the last passphrase. Copies of the"
        + " vault that were made before still open; rotate makes new keys."
    ]
  )

  private let vault: VaultAccess
  private let slot: String

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    slot = arguments.operand(0) ?? ""
  }

  func run(_ console: Console) throws {
    let lost = try vault.withAdministration(console) { try $0.removeSlot(slot) }
    if lost > 0 {
      console.note("\(lost) items that need a passphrase to be set went with the last one")
    }
  }
}
