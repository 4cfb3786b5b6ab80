/// An option of the command line, as data: parsing, refusals and help read the same declaration.
struct Option: Sendable {
  /// Whether a value follows, and what the help calls it.
  enum Value: Sendable {
    case none
    case required(String)
    /// A value that must be joined with `=`.
    case optional(String)
  }

  /// The name with its hyphens.
  let name: String
  let value: Value
  /// What it does, without capital and full stop.
  let explanation: String
  /// Whether it may be given more than once, each time with another value.
  let repeats: Bool

  /// Declares an option with a value.
  init(_ name: String, _ value: Value, _ explanation: String, repeats: Bool = false) {
    self.name = name
    self.value = value
    self.explanation = explanation
    self.repeats = repeats
  }

  /// Declares a flag.
  init(_ name: String, _ explanation: String) { self.init(name, .none, explanation) }

  /// The option as the help shows it, such as `--vault PATH`.
  var usage: String {
    switch value {
    case .none: name
    case .required(let placeholder): "\(name) \(placeholder)"
    case .optional(let placeholder): "\(name)[=\(placeholder)]"
    }
  }
}

/// Options that belong together, under one heading of the help.
struct OptionGroup: Sendable {
  let heading: String
  let options: [Option]

  init(_ heading: String, _ options: [Option]) {
    self.heading = heading
    self.options = options
  }
}
