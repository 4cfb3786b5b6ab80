/// A command line, split into operands and options.
struct ParsedArguments: Sendable {
  /// The words that are no options, the verb first.
  let operands: [String]
  /// The options that were given, in their order.
  let options: [Option]
  /// How many of the operands stand after `--`.
  let trailingOperandCount: Int
  private let values: [String: [String]]

  private init(
    operands: [String],
    options: [Option],
    trailingOperandCount: Int,
    values: [String: [String]]
  ) {
    self.operands = operands
    self.options = options
    self.trailingOperandCount = trailingOperandCount
    self.values = values
  }

  /// Splits words; options may stand anywhere before `--`.
  ///
  /// - Parameters:
  ///   - words: The words after the tool's name.
  ///   - known: The options of all commands.
  /// - Throws: A usage failure: an unknown or repeated option, a value too many or too few. What follows
  ///   an unknown option's name is not repeated in the text, because it may be a secret.
  init(_ words: [String], known: [Option]) throws(Failure) {
    var operands: [String] = []
    var options: [Option] = []
    var values: [String: [String]] = [:]
    var trailingOperandCount = 0
    var cursor = ArgumentCursor(words)
    while let word = cursor.next() {
      switch word {
      case .operand(let text):
        operands.append(text)
        if cursor.optionsEnded { trailingOperandCount += 1 }
      case .option(let name, let joined):
        guard let option = known.first(where: { $0.name == name }) else {
          throw .usage("unknown option \(TextEscaping.quoted(name)); see secretvault help")
        }
        if !option.repeats, options.contains(where: { $0.name == name }) {
          throw .usage("\(name) is given twice; give it once")
        }
        options.append(option)
        if let value = try cursor.value(of: option, joined: joined) {
          values[name, default: []].append(value)
        }
      }
    }
    self.init(
      operands: operands,
      options: options,
      trailingOperandCount: trailingOperandCount,
      values: values
    )
  }

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { options.contains { $0.name == option.name } }

  /// The value that was given with the option.
  func value(of option: Option) -> String? { values[option.name]?.first }

  /// All values that were given with an option that repeats, in their order.
  func values(of option: Option) -> [String] { values[option.name] ?? [] }

  /// The value as a whole number within bounds.
  ///
  /// - Throws: A usage failure where it is none.
  func number(of option: Option, in bounds: ClosedRange<UInt64>) throws(Failure) -> UInt64? {
    guard let text = value(of: option) else { return nil }
    return try Self.number(text, in: bounds, for: option.name)
  }

  /// The operand at a place, if there are so many.
  func operand(_ index: Int) -> String? { index < operands.count ? operands[index] : nil }

  /// The same options with other operands.
  func replacingOperands(with operands: [String]) -> ParsedArguments {
    ParsedArguments(
      operands: operands,
      options: options,
      trailingOperandCount: min(trailingOperandCount, operands.count),
      values: values
    )
  }

  /// Reads a whole number of decimal digits.
  ///
  /// - Throws: A usage failure for anything else, or a number out of bounds.
  static func number(
    _ text: String,
    in bounds: ClosedRange<UInt64>,
    for subject: String
  ) throws(Failure) -> UInt64 {
    let isDecimal = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isDecimal, let number = UInt64(text), bounds.contains(number) else {
      let range = "\(bounds.lowerBound) to \(bounds.upperBound)"
      throw .usage("\(subject) is no number in its range; give one from \(range)")
    }
    return number
  }

  /// Whether a flag seems to stand among words that may not parse.
  static func contains(_ flag: Option, in words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains(flag.name)
  }

  /// The verb's first word among words that may not parse.
  static func verb(in words: [String], known: [Option]) -> String? {
    var cursor = ArgumentCursor(words)
    while let word = cursor.next() {
      switch word {
      case .operand(let text): return text
      case .option(let name, let joined):
        if let option = known.first(where: { $0.name == name }) {
          _ = try? cursor.value(of: option, joined: joined)
        }
      }
    }
    return nil
  }
}

/// A walk over the words of a command line.
struct ArgumentCursor {
  enum Word {
    case operand(String)
    case option(name: String, joined: String?)
  }

  private var rest: ArraySlice<String>
  /// Whether `--` has come, after which all words are operands.
  private(set) var optionsEnded = false

  init(_ words: [String]) { rest = words[...] }

  /// The next word, or `nil` after the last.
  mutating func next() -> Word? {
    guard let word = rest.popFirst() else { return nil }
    if optionsEnded || !word.hasPrefix("-") || word == "-" { return .operand(word) }
    if word == "--" {
      optionsEnded = true
      return next()
    }
    if word == "-h" { return .option(name: Option.help.name, joined: nil) }
    if !word.hasPrefix("--") { return .option(name: String(word.prefix(2)), joined: nil) }
    // As a byte: with an accent behind it, Unicode takes both for one character.
    guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else {
      return .option(name: word, joined: nil)
    }
    return .option(
      name: String(word[..<equals]),
      joined: String(word[word.utf8.index(after: equals)...])
    )
  }

  /// The value of an option: joined with `=`, or the word after it.
  ///
  /// - Throws: A usage failure where there is none, or one too many.
  mutating func value(of option: Option, joined: String?) throws(Failure) -> String? {
    switch option.value {
    case .none:
      if joined != nil { throw .usage("\(option.name) takes no value; leave it out") }
      return nil
    case .optional:
      return joined
    case .required(let placeholder):
      guard let value = joined ?? rest.popFirst() else {
        throw .usage("\(option.name) needs \(placeholder); give it after the option")
      }
      return value
    }
  }
}
