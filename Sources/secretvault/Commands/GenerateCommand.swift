/// `generate`: writes a random secret and stores nothing.
struct GenerateCommand: Command {
  static let declaration = CommandDeclaration(
    name: "generate",
    summary: "write a random secret, storing nothing",
    operands: [CommandDeclaration.Operand(name: "LENGTH", isRequired: false)],
    options: [OptionGroup("its form", [.words, .newline, .noNewline])],
    notes: [
      "LENGTH letters and digits, 24 where none is given, are worth 5.95 bits each: 24 make 142 bits."
        + " Words are speakable, of five letters, and worth 16 bits each: 6 make 96 bits."
    ]
  )

  private enum Form {
    case characters(Int)
    case words(Int)
  }

  private let form: Form
  private let output: SecretOutput

  init(_ arguments: ParsedArguments) throws(Failure) {
    output = try SecretOutput(arguments)
    switch (try RandomText.wordCount(arguments), arguments.operand(0)) {
    case (nil, nil): form = .characters(RandomText.standardLength)
    case (nil, let length?): form = .characters(try RandomText.length(length, for: "LENGTH"))
    case (let count?, nil): form = .words(count)
    case (_?, _?): throw .usage("LENGTH and --words exclude each other; give one")
    }
  }

  func run(_ console: Console) throws {
    let secret =
      switch form {
      case .characters(let length): try RandomText.characters(length)
      case .words(let count): try RandomText.words(count)
      }
    try output.write(secret, to: console)
  }
}
