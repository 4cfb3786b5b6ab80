import SecretVault

/// `completion`: writes what makes a shell complete command lines of the tool.
struct CompletionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "completion",
    summary: "write a script that makes a shell complete commands, options and names of items",
    operands: [CommandDeclaration.Operand(name: "bash|zsh|fish", isRequired: true)],
    notes: [
      "bash: source <(secretvault completion bash)",
      "zsh, after compinit: source <(secretvault completion zsh)",
      "fish: secretvault completion fish | source",
      "Names of items are completed only while an agent has the vault unlocked; nothing is ever asked.",
    ]
  )

  private let script: String

  init(_ arguments: ParsedArguments) throws(Failure) {
    guard let shell = CompletionShell(rawValue: arguments.operand(0) ?? "") else {
      throw .usage("unknown shell; use bash, zsh or fish")
    }
    script = shell.script
  }

  func run(_ console: Console) throws {
    if console.usesJSON {
      try console.output.write(line: .document([("script", .string(script))]))
    } else {
      try console.output.write(script)
    }
  }
}

/// `completion candidates`: what the scripts ask while somebody types.
///
/// Standard input has the words after the tool's name, each ended by a zero byte, the last one up to the
/// cursor; for bash the line up to the cursor, and `COMP_WORDBREAKS`. The answer has `files` or `words`, and
/// then the words, each ended by a zero byte, so that no name can be taken for two, or for code.
struct CompletionCandidatesCommand: Command {
  static let declaration = CommandDeclaration(
    name: "completion candidates",
    summary: "answer the scripts of completion",
    operands: [CommandDeclaration.Operand(name: "bash|zsh|fish", isRequired: true)],
    isHidden: true
  )

  /// The longest line that is completed, in bytes.
  private static let inputLimit = 1 << 20

  private let shell: CompletionShell

  init(_ arguments: ParsedArguments) throws(Failure) {
    guard let shell = CompletionShell(rawValue: arguments.operand(0) ?? "") else {
      throw .usage("unknown shell; use bash, zsh or fish")
    }
    self.shell = shell
  }

  func run(_ console: Console) throws {
    let input = try SecretReader.read(
      .standardInput,
      limit: Self.inputLimit,
      name: "standard input"
    )
    let fields = input.withBytes { $0.array }.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }.dropLast()
    guard let (words, keptCount) = shell.words(Array(fields)) else { return }
    let line = UnfinishedLine(words, known: CommandTable.knownOptions)
    switch CompletionCandidates(for: line) {
    case .files: try console.output.write("files\0")
    case .words(let candidates):
      let shown = candidates.filter(shell.canShow).map { $0.dropFirst(keptCount) }
      for word in ["words"] + shown { try console.output.write(word + "\0") }
    }
  }
}
