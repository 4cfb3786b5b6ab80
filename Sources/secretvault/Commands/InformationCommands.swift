/// `version`: writes the version of the tool.
struct VersionCommand: Command {
  static let declaration = CommandDeclaration(
    name: "version",
    summary: "show the version"
  )

  static let number = "0.1.0"

  init() {}

  init(_ arguments: ParsedArguments) {}

  func run(_ console: Console) throws {
    if console.usesJSON {
      try console.output.write(line: .document([("secretvault", .string(Self.number))]))
    } else {
      try console.output.write("secretvault \(Self.number)\n")
    }
  }
}

/// `exit-codes`: writes what the exit codes mean.
struct ExitCodesCommand: Command {
  static let declaration = CommandDeclaration(
    name: "exit-codes",
    summary: "show what the exit codes mean"
  )

  init(_ arguments: ParsedArguments) {}

  func run(_ console: Console) throws {
    if console.usesJSON {
      let codes = ExitCode.allCases.map { code in
        JSON.object([
          ("code", .number(UInt64(code.rawValue))), ("meaning", .string(code.meaning)),
        ])
      }
      return try console.output.write(line: .document([("exitCodes", .array(codes))]))
    }
    for code in ExitCode.allCases {
      try console.output.write("\(code.rawValue)\t\(code.meaning)\n")
    }
  }
}

/// `help`: writes what the tool, or one command, can do.
struct HelpCommand: Command {
  static let declaration = CommandDeclaration(
    name: "help",
    summary: "show all commands, or one with its options",
    operands: [
      CommandDeclaration.Operand(name: "COMMAND", isRequired: false),
      CommandDeclaration.Operand(name: "WORD", isRequired: false),
    ],
    options: [OptionGroup("its form", [.manual])],
    notes: ["secretvault help --man | man -l - shows the page of the manual."]
  )

  private let subject: CommandDeclaration?
  private let isManual: Bool

  init(about subject: CommandDeclaration?) {
    self.subject = subject
    isManual = false
  }

  init(_ arguments: ParsedArguments) throws(Failure) {
    subject = try CommandTable.declaration(of: arguments.operands)
    isManual = arguments.has(.manual)
  }

  func run(_ console: Console) throws {
    let text =
      if isManual {
        subject.map(ManualPage.command) ?? ManualPage.overview(CommandTable.all)
      } else {
        subject.map(HelpText.command) ?? HelpText.overview(CommandTable.all)
      }
    if console.usesJSON {
      try console.output.write(line: .document([("help", .string(text))]))
    } else {
      try console.output.write(text)
    }
  }
}
