/// Every command, and the way from a verb to its type.
enum CommandTable {
  /// The commands, in the order of the help.
  static let all: [any Command.Type] = [
    InitCommand.self, SetCommand.self, AddCommand.self, GetCommand.self, ShowCommand.self,
    ListCommand.self, SearchCommand.self, EditCommand.self, RenameCommand.self, DeleteCommand.self,
    HistoryCommand.self, RestoreVersionCommand.self,
    UnlockCommand.self, LockCommand.self, StatusCommand.self, AgentCommand.self,
    RunCommand.self, InjectCommand.self, PassphraseCommand.self, SlotAddCommand.self,
    SlotListCommand.self, SlotRemoveCommand.self,
    GroupCreateCommand.self, GroupListCommand.self, GroupShareCommand.self,
    GroupRevokeCommand.self, RotateCommand.self,
    BackupCommand.self, RestoreCommand.self,
    ExportCommand.self, ImportCommand.self, CheckCommand.self, GitHelperCommand.self,
    DockerHelperCommand.self, GenerateCommand.self, CompletionCommand.self,
    CompletionCandidatesCommand.self, TourCommand.self, VersionCommand.self,
    HelpCommand.self, ExitCodesCommand.self,
  ]

  /// Every option of any command.
  ///
  /// A name means the same everywhere, so a line can be split into options and operands before its verb
  /// is known.
  static let knownOptions: [Option] = all.flatMap { type in
    type.declaration.allOptions.flatMap(\.options)
  }

  /// Finds and makes the command that the operands name.
  ///
  /// - Throws: A usage failure: no such command, an option that it does not take, too few or too many
  ///   operands, or whatever the command itself finds wrong.
  static func command(for arguments: ParsedArguments) throws(Failure) -> any Command {
    guard let (type, operands) = try find(arguments.operands) else {
      if arguments.has(.version) { return VersionCommand() }
      if arguments.has(.help) { return HelpCommand(about: nil) }
      throw .usage("no command was given; secretvault help lists them")
    }
    if arguments.has(.help) { return HelpCommand(about: type.declaration) }
    if arguments.has(.version) { return VersionCommand() }
    let declaration = type.declaration
    for option in arguments.options where !declaration.takes(option) {
      throw .usage("\(declaration.name) takes no \(option.name); see \(seeHelp(declaration))")
    }
    if !declaration.takesProgram {
      try ProcessArguments.requireText()
      try checkCount(operands, against: declaration)
    }
    return try type.make(arguments.replacingOperands(with: operands))
  }

  /// The declaration of a command by its verb, as words.
  ///
  /// - Throws: A usage failure where there is no such command.
  static func declaration(of words: [String]) throws(Failure) -> CommandDeclaration? {
    try find(words)?.type.declaration
  }

  private static func find(
    _ words: [String]
  ) throws(Failure) -> (type: any Command.Type, operands: [String])? {
    guard let verb = words.first else { return nil }
    for wordCount in [2, 1] where words.count >= wordCount {
      let name = words.prefix(wordCount).joined(separator: " ")
      if let match = all.first(where: { $0.declaration.isCalled(name) }) {
        return (match, Array(words.dropFirst(wordCount)))
      }
    }
    let members = all.map { $0.declaration.name }.filter { $0.hasPrefix(verb + " ") }
    if !members.isEmpty {
      throw .usage("\(verb) needs another word; use \(members.joined(separator: ", "))")
    }
    throw .usage("unknown command \(TextEscaping.quoted(verb)); secretvault help lists them")
  }

  /// Extra operands are counted, not repeated: one of them may be a secret.
  private static func checkCount(
    _ operands: [String],
    against declaration: CommandDeclaration
  ) throws(Failure) {
    let required = declaration.operands.filter(\.isRequired)
    if operands.count < required.count {
      let name = required[operands.count].name
      throw .usage("\(declaration.name) needs \(name); see \(seeHelp(declaration))")
    }
    let repeats = declaration.operands.last?.repeats ?? false
    if operands.count > declaration.operands.count, !repeats {
      throw .usage("too many words for \(declaration.name); see \(seeHelp(declaration))")
    }
  }

  private static func seeHelp(_ declaration: CommandDeclaration) -> String {
    "secretvault help \(declaration.name)"
  }
}
