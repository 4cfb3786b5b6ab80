import SecretVault

/// `helper git`: gives git its credentials (gitcredentials(7), custom helpers).
struct GitHelperCommand: Command {
  static let declaration = CommandDeclaration(
    name: "helper git",
    summary: "keep the credentials of git, as git-credential-secretvault does",
    operands: [
      CommandDeclaration.Operand(name: "get|store|erase", isRequired: true)
    ],
    options: [.item, .credentials, .vault],
    notes: [
      "git config --global credential.helper \"$(command -v secretvault) helper git\" sets it up. The"
        + " verbs are get, store and erase; git gives the request on standard input.",
      "The password of a user is the item of the service git:PROTOCOL://HOST, or"
        + " git:PROTOCOL://HOST/PATH where git gives a path, and of the account of that name. A refresh"
        + " token is kept under git-refresh:PROTOCOL://HOST. Without a user get answers with the first"
        + " account by name.",
      "The passphrase is asked for as by any command; secretvault unlock spares that. Where the vault"
        + " cannot be read the helper fails and changes nothing, and git goes on to ask for the"
        + " password.",
    ]
  )

  private enum Verb: String {
    case get
    case store
    case erase
  }

  private let verb: Verb?
  private let vault: VaultAccess?
  private let scope: HelperScope

  /// Takes the verb; git asks that an unknown one be passed over in silence, so nothing else is looked at.
  init(_ arguments: ParsedArguments) throws(Failure) {
    verb = arguments.operand(0).flatMap { Verb(rawValue: $0) }
    vault = verb == nil ? nil : try VaultAccess(arguments)
    scope = HelperScope(arguments)
  }

  func run(_ console: Console) throws {
    guard let verb, let vault else { return }
    let request = try GitRequest(reading: .standardInput)
    guard let service = request.service else { return }
    let answer: GitCredentials.Answer? = try vault.withItems(console) { store in
      let credentials = GitCredentials(store: store, scope: scope)
      switch verb {
      case .get: return try credentials.find(service, request)
      case .store: try credentials.keep(service, request)
      case .erase: try credentials.forget(service, request)
      }
      return nil
    }
    if let answer { try write(answer, to: console.output) }
  }

  /// Writes nothing where a value would break out of its line.
  private func write(_ answer: GitCredentials.Answer, to output: Output) throws {
    let secrets = [answer.password, answer.refreshToken].compactMap(\.self)
    guard GitRequest.isOneLine(answer.username.bytes.span),
      secrets.allSatisfy({ $0.withBytes(GitRequest.isOneLine) })
    else {
      throw Failure.usage("the credential has a line break or a zero byte; git cannot take it")
    }
    try output.write(Array("username=".utf8) + answer.username.bytes)
    try output.write("\npassword=")
    try output.write(answer.password)
    try output.write("\n")
    if let expires = answer.expires {
      try output.write("password_expiry_utc=\(expires.millisecondsSince1970 / 1000)\n")
    }
    if let token = answer.refreshToken {
      try output.write("oauth_refresh_token=")
      try output.write(token)
      try output.write("\n")
    }
  }
}
