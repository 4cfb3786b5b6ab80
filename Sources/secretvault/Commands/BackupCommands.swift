import SecretVault

/// `backup`: writes a sealed copy of the vault.
struct BackupCommand: Command {
  static let declaration = CommandDeclaration(
    name: "backup",
    summary: "write an exact, still sealed copy of the vault to a new file",
    operands: [CommandDeclaration.Operand(name: "FILE", isRequired: true)],
    options: [.credentials, .vault],
    notes: [
      "Others may go on writing. The copy is verified before it gets its name; a file that exists is"
        + " refused. It opens with what opens the vault now, and a thief of it can try passphrases for"
        + " ever, so keep it as you keep the vault."
    ]
  )

  private let vault: VaultAccess
  private let path: String

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    path = arguments.operand(0) ?? ""
  }

  func run(_ console: Console) throws {
    try PrivateOutput(path, replacesFile: false).check()
    try vault.withAdministration(console) { administration in
      do {
        try administration.backup(to: path)
      } catch {
        throw Failure(error).prefixed(with: TextEscaping.escaped(path))
      }
    }
    console.note("the backup is written and verified")
  }
}

/// `restore`: puts the contents of a backup in the place of the vault's.
struct RestoreCommand: Command {
  static let declaration = CommandDeclaration(
    name: "restore",
    summary: "replace the contents of the vault by those of a backup of it",
    operands: [CommandDeclaration.Operand(name: "FILE", isRequired: true)],
    options: [.credentials, .vault],
    notes: [
      "What was written after the backup is lost. The credential must open the backup; its slots are"
        + " those of the vault then, removed ones and former passphrases too. Programs that have the"
        + " vault open go on with the restored items. Where the keys were rotated since, there are new"
        + " ones, and only what opened the backup here opens the vault then.",
      "Items that are bound to another device are left out, and their ids are written. Items marked with"
        + " --revalidate must be set again before their secrets are given out.",
      "Where the vault itself is lost or cannot be opened any more, lock it and stop the programs that have"
        + " it open, remove the files -wal and -shm beside it, copy the backup to its path, with mode 600"
        + " (660 for a vault that a Unix group shares), and run check --accept-restore.",
    ]
  )

  private let vault: VaultAccess
  private let path: String

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    path = arguments.operand(0) ?? ""
  }

  func run(_ console: Console) throws {
    try requireUsableVault()
    let report = try vault.restore(from: path, console)
    if console.usesJSON {
      try console.output.write(line: Self.document(report))
    } else {
      for id in report.removedItems { try console.output.write(id + "\n") }
    }
    if !report.removedItems.isEmpty {
      console.note("\(report.removedItems.count) items were left out, bound to another device")
    }
    if let rotation = report.rotation {
      let count = rotation.droppedSlots.count
      let loss = count > 0 ? ", and slots are gone (\(count)); slot add makes others" : ""
      console.note("the keys of the backup were older, so there are new ones" + loss)
    }
    console.note("\(report.itemCount) items were restored")
  }

  /// Says how the backup takes the place of a vault that cannot be opened; one that is made anew is another vault, and
  /// takes no backup of this one.
  private func requireUsableVault() throws(Failure) {
    do throws(Failure) {
      try vault.location.open().close()
    } catch  where [.vaultMissing, .damaged].contains(error.exitCode) {
      let flaw =
        error.exitCode == .damaged ? "the vault is damaged" : "there is no vault here"
      let mode = vault.location.options.sharedWith == nil ? "600" : "660"
      let remedy =
        "\(flaw); remove the files -wal and -shm beside it, copy the backup to this path, with mode"
        + " \(mode), and run check --accept-restore"
      throw Failure(error.exitCode, name: error.name, remedy).prefixed(
        with: vault.location.shownPath
      )
    }
  }

  private static func document(_ report: RestoreReport) -> JSON {
    .document([
      ("items", .number(UInt64(clamping: report.itemCount))),
      ("removed", .array(report.removedItems.map { .string($0) })),
      ("droppedSlots", .array((report.rotation?.droppedSlots ?? []).map { .string($0.id) })),
    ])
  }
}
