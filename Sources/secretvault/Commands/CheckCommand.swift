import SecretVault

/// `check`: verifies everything in the vault.
struct CheckCommand: Command {
  static let declaration = CommandDeclaration(
    name: "check",
    summary: "verify everything in the vault and around it",
    options: [OptionGroup("after a restore", [.acceptRestore]), .credentials, .vault],
    notes: [
      "Each finding is a line that says how to mend it. Damage gives the exit code 10, advice does not."
    ]
  )

  private let vault: VaultAccess
  private let acceptsRestore: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    acceptsRestore = arguments.has(.acceptRestore)
  }

  func run(_ console: Console) throws {
    let report = try vault.withAdministration(console, acceptsRestore: acceptsRestore) {
      try $0.check()
    }
    if console.usesJSON {
      try console.output.write(line: Self.document(report))
    } else {
      for finding in report.findings {
        try console.output.write(TextEscaping.escaped(finding.message) + "\n")
      }
    }
    guard report.isSound else {
      throw Failure(.damaged, name: "damaged", "the vault is damaged; see the findings")
    }
    console.note("\(report.verifiedCount) items verified, nothing is damaged")
  }

  private static func document(_ report: CheckReport) -> JSON {
    let findings = report.findings.map { finding in
      JSON.object([("damage", .bool(finding.isDamage)), ("message", .string(finding.message))])
    }
    return .document([
      ("verified", .number(UInt64(report.verifiedCount))),
      ("unopened", .number(UInt64(report.unopenedCount))),
      ("findings", .array(findings)),
    ])
  }
}
