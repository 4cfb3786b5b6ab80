import SecretVault

/// `run`: starts a program with secrets in its environment, in the place of this process.
struct RunCommand: Command {
  static let declaration = CommandDeclaration(
    name: "run",
    summary: "run a command with secrets in its environment",
    takesProgram: true,
    options: [
      OptionGroup("its variables", [.environment, .environmentFile, .cleanEnvironment]),
      .credentials, .vault,
    ],
    notes: [
      "A reference is secret://SERVICE/ACCOUNT or secret://SERVICE/ACCOUNT?group=NAME,"
        + " percent-encoded. If one cannot be resolved, nothing is started.",
      "The file has a NAME=VALUE in each line, without quotes or expansion; # begins a comment, and a"
        + " value that begins with secret:// is a reference. --env beats the file.",
      "The command takes the place of secretvault: its exit code, signals and terminal are its own. It"
        + " gets the caller's variables as they are, those that name a vault or a key file too; with"
        + " --clean-env only HOME, LANG, LANGUAGE, LC_*, LOGNAME, PATH, SHELL, TERM, TMPDIR, TZ and USER.",
      "Any failure of secretvault itself is 125, a command that cannot be executed 126, one that is not"
        + " found 127.",
    ]
  )

  private let vault: VaultAccess
  private let variables: [Variable]
  private let file: EnvironmentFile?
  private let isClean: Bool
  private let program: Program

  init(_ arguments: ParsedArguments) throws(Failure) {
    program = try Program(arguments)
    vault = try VaultAccess(arguments)
    var variables: [Variable] = []
    for text in arguments.values(of: .environment) {
      let variable = try Variable(option: text)
      if variables.contains(where: { $0.name == variable.name }) {
        throw .usage("\(variable.place) is given twice; give it once")
      }
      variables.append(variable)
    }
    self.variables = variables
    file = arguments.value(of: .environmentFile).map { EnvironmentFile($0) }
    isClean = arguments.has(.cleanEnvironment)
  }

  func run(_ console: Console) throws {
    let names = Set(variables.map(\.name))
    let fromFile = try file?.variables().filter { !names.contains($0.name) } ?? []
    let values = try resolve(fromFile + variables, console)
    throw program.start(try EnvironmentBlock(values, isClean: isClean))
  }

  /// Reads the values; the vault is closed again, or left alone where none is asked of it.
  private func resolve(
    _ variables: [Variable],
    _ console: Console
  ) throws -> [(variable: Variable, value: SecretBytes)] {
    let hasReference = variables.contains { if case .reference = $0.value { true } else { false } }
    guard hasReference else {
      return variables.compactMap { variable in
        if case .literal(let value) = variable.value { (variable, value) } else { nil }
      }
    }
    return try vault.withItems(console) { store in
      var resolver = ReferenceResolver(store)
      return try variables.map { variable in
        switch variable.value {
        case .literal(let value): (variable, value)
        case .reference(let reference):
          (variable, try resolver.secret(for: reference, at: variable.place))
        }
      }
    }
  }

  /// Whether a command line, which may not parse, is one of `run`.
  static func isMeant(by words: [String]) -> Bool {
    ParsedArguments.verb(in: words, known: CommandTable.knownOptions) == declaration.name
  }
}

extension Failure {
  /// The same failure with the exit code that tells it from the codes of a program that was run.
  var beforeStart: Failure {
    switch exitCode {
    case .notExecutable, .programNotFound: self
    default: Failure(.nothingStarted, name: name, message)
    }
  }
}
