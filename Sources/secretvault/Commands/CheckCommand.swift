import SecretVault

/// `check`: verifies everything in the vault.
struct CheckCommand: Command {
  static let declaration = CommandDeclaration(
    name: "check",
    summary: "verify everything in the vault and around it",
    options: [OptionGroup("after a restore", [.acceptRestore]), .credentials, .vault],
    notes: [
      "Each finding is a line that says how to mend it. Where it is about an item whose name can be opened,"
        + " group, service and account follow, separated by tabs. Damage gives the exit code 10, advice does not.",
      "An accepted vault that has older keys than were seen here gets new ones, and what opened it but is"
        + " not given here opens it no longer: its slot is dropped and written to standard output.",
    ]
  )

  private let vault: VaultAccess
  private let acceptsRestore: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    acceptsRestore = arguments.has(.acceptRestore)
  }

  func run(_ console: Console) throws {
    guard acceptsRestore else {
      return try tell(vault.withAdministration(console) { try $0.check() }, nil, console)
    }
    try vault.withAcceptedAdministration(console) { administration, rotation in
      try tell(administration.check(), rotation, console)
    }
  }

  private func tell(
    _ report: CheckReport,
    _ rotation: RotationReport?,
    _ console: Console
  ) throws {
    if console.usesJSON {
      try console.output.write(line: Self.document(report, rotation))
    } else {
      for slot in rotation?.droppedSlots ?? [] {
        try console.output.write(SlotListCommand.line(slot))
      }
      for finding in report.findings {
        let name = finding.item.map { "\t" + ItemText.line($0) } ?? ""
        try console.output.write(TextEscaping.escaped(finding.message) + name + "\n")
      }
    }
    if let rotation {
      console.note(
        "the vault had older keys than were seen here, so there are new ones;"
          + " \(rotation.droppedSlots.count) slots were dropped"
      )
    }
    guard report.isSound else {
      throw Failure(.damaged, name: "damaged", "the vault is damaged; see the findings")
    }
    console.note("\(report.verifiedCount) items verified, nothing is damaged")
  }

  private static func name(_ item: ItemIdentity) -> JSON {
    .object([
      ("group", item.group.map { .string($0) } ?? .null), ("service", .bytes(item.service.bytes)),
      ("account", .bytes(item.account.bytes)),
    ])
  }

  private static func document(_ report: CheckReport, _ rotation: RotationReport?) -> JSON {
    let findings = report.findings.map { finding in
      JSON.object([
        ("damage", .bool(finding.isDamage)), ("message", .string(finding.message)),
        ("item", finding.item.map(name) ?? .null),
      ])
    }
    return .document([
      ("verified", .number(UInt64(report.verifiedCount))),
      ("unopened", .number(UInt64(report.unopenedCount))),
      ("findings", .array(findings)),
      ("droppedSlots", .array((rotation?.droppedSlots ?? []).map(SlotListCommand.document))),
    ])
  }
}
