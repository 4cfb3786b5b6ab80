/// The help, composed from the declarations that also parse the command line.
enum HelpText {
  private static let width = 80
  private static let column = 30

  /// All commands, one a line.
  static func overview(_ commands: [any Command.Type]) -> String {
    let declarations = commands.map { $0.declaration }.filter { !$0.isHidden }
    var lines = [
      "usage: secretvault COMMAND [SERVICE [ACCOUNT]] [options]", "",
      "Keeps secrets in an encrypted vault.", "", "commands:",
    ]
    for declaration in declarations { lines += entry(title(declaration), declaration.summary) }
    lines += section(.everywhere)
    lines += ["", "secretvault help COMMAND shows the options of a command."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// One command with its options.
  static func command(_ declaration: CommandDeclaration) -> String {
    let operands = declaration.operands.map { operand in
      (operand.isRequired ? " \(operand.name)" : " [\(operand.name)]")
        + (operand.repeats ? "..." : "")
    }
    let program = declaration.takesProgram ? " -- COMMAND [ARGUMENT]..." : ""
    var lines = [
      "usage: secretvault \(declaration.name)\(operands.joined()) [options]\(program)", "",
    ]
    lines += wrapped(capitalized(declaration.summary) + ".", to: width)
    for alias in declaration.aliases { lines += ["", "It is also called \(alias)."] }
    for group in declaration.allOptions { lines += section(group) }
    for note in declaration.notes { lines += [""] + wrapped(note, to: width) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func title(_ declaration: CommandDeclaration) -> String {
    ([declaration.name] + declaration.aliases).joined(separator: ", ")
  }

  private static func section(_ group: OptionGroup) -> [String] {
    ["", group.heading + ":"] + group.options.flatMap { entry($0.usage, $0.explanation) }
  }

  /// A term and its explanation, side by side, or one below the other where the term is long.
  private static func entry(_ term: String, _ explanation: String) -> [String] {
    let indentation = String(repeating: " ", count: column)
    let lines = wrapped(explanation, to: width - column)
    let start = "  " + term
    if start.count + 2 > column { return [start] + lines.map { indentation + $0 } }
    let padding = String(repeating: " ", count: column - start.count)
    let first = start + padding + (lines.first ?? "")
    return [first] + lines.dropFirst().map { indentation + $0 }
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
