import SecretVault

/// `helper docker`: keeps the credentials of docker, by the protocol of docker-credential-helpers.
struct DockerHelperCommand: Command {
  static let declaration = CommandDeclaration(
    name: "helper docker",
    summary: "keep the credentials of docker, as docker-credential-secretvault does",
    operands: [
      CommandDeclaration.Operand(name: "store|get|erase|list|version", isRequired: true)
    ],
    options: [.item, .credentials, .vault],
    notes: [
      "A symbolic link docker-credential-secretvault to the tool, in a folder of PATH, and \"credsStore\":"
        + " \"secretvault\" in ~/.docker/config.json set it up. The verbs are store, get, erase, list and"
        + " version.",
      "The credential of a server is the item of the service docker:SERVERURL, and its account is the"
        + " user; a server has one.",
      "As docker wants it, every failure is told on standard output, and the exit code is then 1. Where"
        + " the vault cannot be read nothing is changed. The passphrase is asked for as by any command;"
        + " secretvault unlock spares that.",
    ]
  )

  private enum Verb: String, CaseIterable {
    case store
    case get
    case erase
    case list
    case version
  }

  private let arguments: ParsedArguments

  /// Takes the arguments as they are: what is wrong with them is told when the command runs, as all else.
  init(_ arguments: ParsedArguments) { self.arguments = arguments }

  func run(_ console: Console) throws {
    do {
      try answer(console)
    } catch {
      try console.output.write(Failure(error).message + "\n")
      try console.output.flush()
      throw ToldFailure(exitCode: .other)
    }
  }

  private func answer(_ console: Console) throws {
    switch Verb(rawValue: arguments.operand(0) ?? "") {
    case .store: try store(console)
    case .get: try get(console)
    case .erase:
      let server = try DockerRequest.server()
      try withCredentials(console) { try $0.forget(server) }
    case .list:
      let users = try withCredentials(console) { try $0.users() }
      let members = users.map { (name: $0.server, value: JSON.string($0.username)) }
      try console.output.write(line: .object(members))
    case .version:
      try console.output.write(
        "docker-credential-secretvault (secretvault) \(VersionCommand.number)\n"
      )
    case nil:
      let verbs = Verb.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.usage("unknown action; use one of \(verbs)")
    }
  }

  private func store(_ console: Console) throws {
    let credential = try DockerRequest.credential()
    try withCredentials(console) { try $0.keep(credential) }
  }

  private func get(_ console: Console) throws {
    let server = try DockerRequest.server()
    let credential = try withCredentials(console) { try $0.find(server) }
    guard let credential else { throw Failure.dockerCredentialsNotFound }
    try console.output.write(
      line: .object([
        ("ServerURL", .string(credential.server)),
        ("Username", .string(credential.username)),
        ("Secret", .secretText(credential.secret)),
      ])
    )
  }

  private func withCredentials<R>(
    _ console: Console,
    _ body: (DockerCredentials) throws -> R
  ) throws -> R {
    let scope = HelperScope(arguments)
    return try VaultAccess(arguments).withItems(console) { store in
      try body(DockerCredentials(store: store, scope: scope))
    }
  }
}
