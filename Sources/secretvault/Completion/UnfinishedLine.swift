/// A command line that is still being typed, up to the cursor.
struct UnfinishedLine {
  /// What the word at the cursor can be.
  enum Place {
    /// The value of an option, after the text `--option=` or in a word of its own.
    case value(of: Option, after: String)
    case option
    case operand
  }

  /// The words before the cursor's that are no options, the verb first.
  let operands: [String]
  /// The word at the cursor, as far as it is typed.
  let current: String
  let place: Place
  /// Whether `--` has come, after which a hyphen begins no option.
  let optionsEnded: Bool
  /// The words before the cursor's that are complete: without an option that waits for its value.
  let completeWords: [String]

  /// Takes the words after the tool's name; the last is the one at the cursor, and may be empty.
  init(_ words: [String], known: [Option]) {
    let before = words.dropLast()
    let current = words.last ?? ""
    var operands: [String] = []
    var waiting: Option?
    var cursor = ArgumentCursor(Array(before))
    while let word = cursor.next() {
      switch word {
      case .operand(let text): operands.append(text)
      case .option(let name, let joined):
        guard let option = known.first(where: { $0.name == name }) else { continue }
        let isComplete = (try? cursor.value(of: option, joined: joined)) != nil
        if case .required = option.value, !isComplete { waiting = option }
      }
    }
    self.operands = operands
    self.current = current
    optionsEnded = cursor.optionsEnded
    completeWords = Array(waiting == nil ? before : before.dropLast())
    place =
      if let waiting {
        .value(of: waiting, after: "")
      } else if optionsEnded || !current.hasPrefix("-") {
        .operand
      } else {
        Self.placeInOption(current, known: known)
      }
  }

  private static func placeInOption(_ word: String, known: [Option]) -> Place {
    guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")),
      let option = known.first(where: { $0.name == word[..<equals] })
    else { return .option }
    return .value(of: option, after: option.name + "=")
  }
}
