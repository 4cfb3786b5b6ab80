import SecretVault

/// `export`: writes items for use elsewhere.
struct ExportCommand: Command {
  static let declaration = CommandDeclaration(
    name: "export",
    summary: "write items, with their secrets, to a file or standard output",
    options: [
      OptionGroup("its form and its place", [.format, .privateOutput, .standardOutput]),
      OptionGroup("which items", [.service, .group]),
      OptionGroup(
        "what is to open a new vault; else the terminal asks for a passphrase",
        [
          .newPassphraseDescriptor, .newPassphraseFile, .newKeyFile, .generateKeyFile, .either,
          .recoveryCodeFile,
        ]
      ),
      .credentials, .vault,
    ],
    notes: [
      "The formats: json, all attributes, which import reads; env, lines of NAME=VALUE for run"
        + " --env-file; shell, for the dot command of a shell; k8s, the manifest of a Kubernetes Secret;"
        + " vault, a new vault with the synchronizable items only.",
      "env, shell and k8s need --service; the account is the name of the variable, and one illegal name"
        + " refuses the whole export. All but vault are plain text.",
      "A credential is always asked for, also where an agent runs. A file that exists is refused.",
    ]
  )

  /// What is to be done.
  private enum Work {
    case plain(PlainExport.Form)
    case newVault(path: String)
  }

  private let vault: VaultAccess
  private let place: ExportPlace
  private let work: Work
  private let query: ItemQuery
  private let credentials: NewCredentials
  private let either: Bool

  init(_ arguments: ParsedArguments) throws(Failure) {
    let format = try ExportFormat(arguments)
    place = try ExportPlace(arguments)
    work = try Self.work(format, place, service: arguments.value(of: .service))
    vault = try VaultAccess(arguments)
    credentials = try NewCredentials(arguments, acceptsPlain: false)
    either = arguments.has(.either)
    var query = ItemQuery(
      service: arguments.value(of: .service).map { AttributeValue($0) },
      group: arguments.value(of: .group)
    )
    if case .plain(.variables) = work { query.kind = .genericPassword }
    self.query = query
    if case .plain = work, credentials.isGiven {
      throw .usage("only the format vault takes new credentials; leave them out")
    }
    if either, !credentials.hasBothFactors {
      throw .usage("--either needs a passphrase and a key file; give both")
    }
  }

  func run(_ console: Console) throws {
    try place.check()
    try vault.withStore(console) { store in
      let listing = try store.items(matching: query)
      tellHidden(listing, console)
      switch work {
      case .plain(let form):
        try place.write(PlainExport(listing, of: store, as: form), console)
      case .newVault(let path): try makeVault(at: path, VaultExport(listing, of: store), console)
      }
    }
  }

  private func makeVault(at path: String, _ export: VaultExport, _ console: Console) throws {
    try NewFiles.keptOnSuccess { files in
      var slots = try credentials.slots(either: either, console, files)
      if credentials.wantsRecoveryCodeFile {
        let code = try credentials.recoveryCode(files)
        slots.append(.init(.recoveryCode(code), label: "recovery code"))
      }
      do {
        try export.make(at: path, protectedBy: slots, options: vault.location.options)
      } catch {
        throw Failure(error).prefixed(with: TextEscaping.escaped(path))
      }
    }
    console.note("the new vault has the \(export.count) synchronizable items")
  }

  private func tellHidden(_ listing: ItemListing, _ console: Console) {
    let hidden = [
      (listing.otherDeviceCount, "bound to another device"),
      (listing.unsupportedCount, "written by a newer version"),
    ]
    for (count, reason) in hidden where count > 0 {
      console.note("not exported: \(count) that are \(reason)")
    }
  }

  private static func work(
    _ format: ExportFormat,
    _ place: ExportPlace,
    service: String?
  ) throws(Failure) -> Work {
    switch (format, place) {
    case (.json, _): return .plain(.json)
    case (.variables(let format), _):
      guard let service else {
        throw .usage("the format \(format.rawValue) is for one service; name it with --service")
      }
      return .plain(.variables(format, service: service))
    case (.vault, .file(let path)): return .newVault(path: path)
    case (.vault, .standardOutput): throw .usage("a vault goes to a file; give --out")
    }
  }
}
