import SecretVault

/// What the word at the cursor could become.
enum CompletionCandidates {
  /// A file, which the shell knows to complete.
  case files
  /// One of these words.
  case words([String])

  /// Finds out from the declarations that also parse the command line, and from an unlocked agent.
  init(for line: UnfinishedLine) {
    let found: CompletionCandidates
    switch line.place {
    case .value(let option, let start):
      found = Self.values(of: option, line).mapWords { start + $0 }
    case .option:
      let groups = Self.command(line)?.declaration.allOptions ?? [.everywhere]
      found = .words(groups.flatMap { $0.options.map(\.name) })
    case .operand:
      // What begins with a hyphen would be read as an option.
      found = Self.operands(line).filterWords { line.optionsEnded || !$0.hasPrefix("-") }
    }
    self = found.filterWords { !$0.isEmpty && $0.hasPrefix(line.current) }
  }

  private func mapWords(_ change: (String) -> String) -> CompletionCandidates {
    if case .words(let words) = self { .words(words.map(change)) } else { self }
  }

  private func filterWords(_ isWanted: (String) -> Bool) -> CompletionCandidates {
    if case .words(let words) = self { .words(words.filter(isWanted)) } else { self }
  }
}

extension CompletionCandidates {
  /// The command that is named so far, and its operands.
  private static func command(
    _ line: UnfinishedLine
  ) -> (declaration: CommandDeclaration, operands: [String])? {
    for wordCount in [2, 1] where line.operands.count >= wordCount {
      let name = line.operands.prefix(wordCount).joined(separator: " ")
      if let type = CommandTable.all.first(where: { $0.declaration.isCalled(name) }) {
        return (type.declaration, Array(line.operands.dropFirst(wordCount)))
      }
    }
    return nil
  }

  private static func operands(_ line: UnfinishedLine) -> CompletionCandidates {
    guard let (declaration, operands) = command(line) else {
      return .words(verbs(after: line.operands))
    }
    if declaration.takesProgram { return .files }
    guard operands.count < declaration.operands.count else { return .words([]) }
    let name = declaration.operands[operands.count].name
    if declaration.name == HelpCommand.declaration.name { return .words(verbs(after: operands)) }
    return values(named: name, service: operands.first, line)
  }

  /// The words with which commands go on after some words.
  private static func verbs(after words: [String]) -> [String] {
    let names = CommandTable.all.filter { !$0.declaration.isHidden }.flatMap { type in
      [type.declaration.name] + type.declaration.aliases
    }
    let splitNames = names.map { $0.split(separator: " ").map(String.init) }
    let next = splitNames.filter { $0.count > words.count && $0.starts(with: words) }
    return Set(next.map { $0[words.count] }).sorted()
  }

  private static func values(of option: Option, _ line: UnfinishedLine) -> CompletionCandidates {
    switch option.value {
    case .none: .words([])
    case .required(let name), .optional(let name): values(named: name, service: nil, line)
    }
  }

  private static func formats(_ command: CommandDeclaration?) -> [String] {
    command?.name == ExportCommand.declaration.name ? ExportFormat.names : ImportFormat.names
  }

  /// The values of an operand or option by the name that the help gives them; `a|b` stands for a or b.
  private static func values(
    named name: String,
    service: String?,
    _ line: UnfinishedLine
  ) -> CompletionCandidates {
    switch name {
    case "FILE", "F", "PATH", "DIR": .files
    case "CLASS": .words(Accessibility.allCases.map(\.rawValue))
    case "FORMAT": .words(formats(command(line)?.declaration))
    case "SERVICE", "S": .words(CompletionItems(line).services())
    case "NAME": .words(CompletionItems(line).groups())
    case "ACCOUNT": .words(CompletionItems(line).accounts(of: service))
    default: .words(name.contains("|") ? name.split(separator: "|").map(String.init) : [])
    }
  }
}
