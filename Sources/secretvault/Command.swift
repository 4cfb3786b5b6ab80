/// One verb of the tool.
///
/// Making a command checks all that can be misused, before anything is opened or asked; running it does
/// the work.
protocol Command: SendableMetatype {
  /// What the verb is called and takes; parsing, refusals and help all come from here.
  static var declaration: CommandDeclaration { get }

  /// Checks the arguments.
  ///
  /// - Throws: A usage failure.
  init(_ arguments: ParsedArguments) throws(Failure)

  /// Does the work.
  ///
  /// - Throws: A ``Failure``, or an error of the library.
  func run(_ console: Console) throws
}

extension Command {
  /// Makes the command where only its metatype is known.
  ///
  /// - Throws: A usage failure.
  static func make(_ arguments: ParsedArguments) throws(Failure) -> any Command {
    try Self(arguments)
  }
}

/// A verb, its operands and its options, as data.
struct CommandDeclaration: Sendable {
  /// A word that stands for itself, such as a service.
  struct Operand: Sendable {
    let name: String
    let isRequired: Bool
    /// Whether more of the same kind may follow, of the last operand.
    var repeats = false

    static let service = Operand(name: "SERVICE", isRequired: true)
    static let account = Operand(name: "ACCOUNT", isRequired: false)
  }

  /// The verb, of one or two words.
  let name: String
  var aliases: [String] = []
  /// One sentence without a full stop, for lists and for the first line of the help.
  let summary: String
  var operands: [Operand] = []
  /// Whether a program with its arguments follows `--`, to be passed on byte for byte.
  var takesProgram = false
  /// The options by subject, without those that every command takes.
  var options: [OptionGroup] = []
  /// Paragraphs below the options.
  var notes: [String] = []
  /// Whether it is left out of help and completion: something that only the tool's own scripts call.
  var isHidden = false

  /// All groups of options, in the order in which the help shows them.
  var allOptions: [OptionGroup] { options + [.everywhere] }

  /// Whether the verb or an alias has this name.
  func isCalled(_ name: String) -> Bool { self.name == name || aliases.contains(name) }

  /// Whether the command takes an option.
  func takes(_ option: Option) -> Bool {
    allOptions.contains { $0.options.contains { $0.name == option.name } }
  }
}
