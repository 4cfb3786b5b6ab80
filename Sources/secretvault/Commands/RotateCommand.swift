import SecretVault

/// `rotate`: gives the vault or one of its access groups new keys.
struct RotateCommand: Command {
  static let declaration = CommandDeclaration(
    name: "rotate",
    summary: "make new keys and seal every item anew",
    options: [
      OptionGroup(
        "what gets new keys, the whole vault unless told, and what stays",
        [.group, .keepKeyFile, .removeOtherDevices]
      ),
      .credentials, .vault,
    ],
    notes: RotationWork.notes
  )

  private let vault: VaultAccess
  private let work: RotationWork
  private let group: String?

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    work = RotationWork(arguments)
    group = arguments.value(of: .group)
  }

  func run(_ console: Console) throws {
    try work.run(Rotation(ofGroup: group), on: vault, console)
  }
}

/// The part that `rotate` and `group revoke` have in common.
struct RotationWork {
  /// What the help says of both.
  static let notes = [
    "What opens the vault or the group but is not given here opens it no longer: its slot is dropped"
      + " and written to standard output. What is given for the command stays.",
    "Programs that have the vault open, the agent too, need it unlocked again. Copies of the vault"
      + " that were made before still open with the former keys; change the secrets themselves where"
      + " somebody may have one.",
  ]

  private let keyFiles: [String]
  private let removesItemsOfOtherDevices: Bool

  init(_ arguments: ParsedArguments) {
    keyFiles = arguments.values(of: .keepKeyFile)
    removesItemsOfOtherDevices = arguments.has(.removeOtherDevices)
  }

  /// Asks for a credential, rotates, and tells what became of slots and items.
  func run(_ rotation: Rotation, on vault: VaultAccess, _ console: Console) throws {
    var rotation = rotation
    rotation.removesItemsOfOtherDevices = removesItemsOfOtherDevices
    rotation.keptCredentials = try keyFiles.map { path in
      let allowsForeignOwner = vault.location.options.allowsForeignOwner
      return .keyFile(
        contents: try CredentialSource.keyFile(path).read(allowsForeignOwner: allowsForeignOwner)
      )
    }
    let request = rotation
    let report = try vault.withAdministration(console) { administration in
      defer { console.progress.end() }
      let report = try administration.rotate(request) { [line = console.progress] progress in
        line.show("sealed \(progress.completedItems) of \(progress.totalItems) items")
      }
      LogEmptying.run(console, "the keys are changed", administration.emptyLog)
      return report
    }
    try Self.tell(report, console)
  }

  private static func tell(_ report: RotationReport, _ console: Console) throws {
    if console.usesJSON {
      try console.output.write(line: document(report))
    } else {
      for slot in report.droppedSlots { try console.output.write(SlotListCommand.line(slot)) }
    }
    var text = "\(report.resealedItems) items have new keys"
    if !report.droppedSlots.isEmpty { text += "; \(report.droppedSlots.count) slots were dropped" }
    console.note(text)
    if report.itemsRemovedWithPassphrase > 0 {
      console.note(
        "\(report.itemsRemovedWithPassphrase) items that need a passphrase to be set went with the last one"
      )
    }
    if report.itemsRemovedOfOtherDevices > 0 {
      console.note("\(report.itemsRemovedOfOtherDevices) items of other devices were removed")
    }
  }

  private static func document(_ report: RotationReport) -> JSON {
    .document([
      ("resealed", .number(UInt64(clamping: report.resealedItems))),
      ("removedWithPassphrase", .number(UInt64(clamping: report.itemsRemovedWithPassphrase))),
      ("removedOfOtherDevices", .number(UInt64(clamping: report.itemsRemovedOfOtherDevices))),
      ("droppedSlots", .array(report.droppedSlots.map(SlotListCommand.document))),
    ])
  }
}
