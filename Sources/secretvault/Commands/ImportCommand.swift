import SecretVault

/// `import`: takes over what another store exported.
struct ImportCommand: Command {
  static let declaration = CommandDeclaration(
    name: "import",
    summary: "store what another password store exported, and report every row",
    operands: [CommandDeclaration.Operand(name: "FILE", isRequired: true)],
    options: [
      OptionGroup("the file", [.format, .service]),
      OptionGroup("what to do", [.dryRun, .replace, .group]),
      .credentials, .vault,
    ],
    notes: [
      "FILE - is standard input. The formats are \(ImportFormat.names.joined(separator: ", "));"
        + " without --format the content tells.",
      "A login becomes an item with host, port and path of its address as service (its title where it"
        + " has none), its user name as account, its title as label and its notes as comment. One-time"
        + " codes and further fields become items of their own, with the account USERNAME#FIELD."
        + " Folders, tags and dates are not kept. For env, --service names the service, else the file"
        + " does.",
      "Each row is a line: added, replaced, unchanged, exists (with another secret; left alone without"
        + " --replace), conflict (a second row of one name), refused or skipped; then group, service,"
        + " account, and the reason. All is stored at once, or nothing. Rows that exist give the exit"
        + " code 5, conflicts and refusals 1; the other rows are stored.",
      "It never uses the agent's keys, but asks for a passphrase or key. A file has at most 64 MiB, and"
        + " must fit into the memory that a process may lock (ulimit -l).",
    ]
  )

  private let vault: VaultAccess
  private let path: String
  private let format: ImportFormat?
  private let service: String?
  private let group: String?
  private let isDryRun: Bool
  private let replaces: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    path = arguments.operand(0) ?? ""
    format = try ImportFormat(arguments)
    service = arguments.value(of: .service)
    group = arguments.value(of: .group)
    isDryRun = arguments.has(.dryRun)
    replaces = arguments.has(.replace)
    if path == "-" { try Self.checkStandardInput(arguments) }
  }

  func run(_ console: Console) throws {
    // What is wrong with the vault is told before the file is read and a question is asked.
    try vault.location.open().close()
    let plan = ImportPlan(rows: try rows(), replaces: replaces, isDryRun: isDryRun)
    let outcomes = try vault.withStore(console) { store in
      try Self.naming(groupsOf: plan.run(in: store), in: store)
    }
    try ImportReport(outcomes, isDryRun: isDryRun).write(console)
  }

  /// Reads and checks the whole file; its text is gone before the vault is opened.
  private func rows() throws -> [ImportRow] {
    let name = path == "-" ? "standard input" : TextEscaping.escaped(path)
    let text = try ImportText(path: path)
    return try text.withBytes { text in
      do {
        guard let format = try format ?? ImportFormat.recognized(in: text) else {
          let names = ImportFormat.names.joined(separator: ", ")
          throw Failure.usage("the format of \(name) is not certain; give --format \(names)")
        }
        if service != nil, format != .environment {
          throw Failure.usage("--service is for env alone; other formats name their services")
        }
        return try format.rows(in: text, service: service ?? nameOfFile).map { row in
          var row = row.checked
          if let group { row.item.identity.group = group }
          return row
        }
      } catch let flaw as ImportFlaw {
        throw flaw.failure(in: text, of: name)
      }
    }
  }

  /// The last part of the path; `nil` for standard input.
  private var nameOfFile: String? {
    path == "-" ? nil : path.split(separator: "/").last.map(String.init)
  }

  /// Names the group of those that were told none: all of them are in one, or would be.
  private static func naming(
    groupsOf outcomes: [ImportOutcome],
    in store: SecretStore
  ) -> [ImportOutcome] {
    let isStored = outcomes.contains { outcome in
      outcome.identity.group == nil && ![.refused, .skipped].contains(outcome.action)
    }
    guard isStored else { return outcomes }
    // With several groups and none of that name, no row could have been stored.
    let groups = store.openedGroups
    let group = groups.first { $0 == SecretStore.defaultGroupName } ?? groups.first
    return outcomes.map { outcome in
      var outcome = outcome
      outcome.identity.group = outcome.identity.group ?? group
      return outcome
    }
  }

  private static func checkStandardInput(_ arguments: ParsedArguments) throws(Failure) {
    guard Descriptor.standardInput.isReadable else {
      throw .usage("standard input is closed; name a file")
    }
    for option in DescriptorOptions.all
    where try DescriptorOptions.descriptor(option, in: arguments) == .standardInput {
      throw .usage("standard input cannot give both \(option.name) and the file; use another one")
    }
  }
}
