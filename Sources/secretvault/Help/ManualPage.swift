/// The pages of the manual, composed from the declarations that also parse the command line.
///
/// They use the macros of man(7).
enum ManualPage {
  /// The day of the last change of what the pages say.
  private static let date = "2026-11-30"

  /// The groups of options that many commands take; the page of the tool explains them once.
  private static let sharedGroups: [OptionGroup] = [.credentials, .vault, .everywhere]

  /// The page of the tool: all commands with the options of their own, the shared options, the exit codes.
  static func overview(_ commands: [any Command.Type]) -> String {
    let declarations = commands.map { $0.declaration }.filter { !$0.isHidden }
    let shared = sharedGroups.map(\.heading)
    var lines = title("SECRETVAULT")
    lines += [".SH NAME", text("secretvault - keeps secrets in an encrypted vault")]
    lines += [".SH SYNOPSIS", "\(bold("secretvault")) \(italic("COMMAND")) [options]"]
    lines += [
      ".SH DESCRIPTION",
      text("Secrets are kept in an encrypted vault, each under a service and an account."),
      text("Options stand anywhere before --."), ".SH COMMANDS",
    ]
    for declaration in declarations {
      lines += [".SS \"\(text(declaration.name))\"", usage(declaration), ".PP"]
      lines += body(
        declaration,
        groups: declaration.options.filter { !shared.contains($0.heading) }
      )
    }
    lines.append(".SH OPTIONS")
    for group in sharedGroups { lines += [".SS \"\(text(group.heading))\""] + entries(group) }
    lines += exitStatus()
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of one command.
  static func command(_ declaration: CommandDeclaration) -> String {
    let name = "secretvault-" + declaration.name.split(separator: " ").joined(separator: "-")
    var lines = title(name.uppercased())
    lines += [".SH NAME", text("\(name) - \(declaration.summary)")]
    lines += [".SH SYNOPSIS", usage(declaration), ".SH DESCRIPTION"]
    lines += body(declaration, groups: declaration.allOptions)
    lines += exitStatus()
    lines += [".SH SEE ALSO", ".BR secretvault (1)"]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Begins a page, on which no word is divided: options and paths would no longer be what they are.
  private static func title(_ name: String) -> [String] {
    [".TH \(text(name)) 1 \(date) \"secretvault \(VersionCommand.number)\"", ".nh", ".ad l"]
  }

  private static func usage(_ declaration: CommandDeclaration) -> String {
    let operands = declaration.operands.map { operand in
      (operand.isRequired ? " \(italic(operand.name))" : " [\(italic(operand.name))]")
        + (operand.repeats ? "..." : "")
    }
    let program =
      declaration.takesProgram ? " \(bold("--")) \(italic("COMMAND")) [argument]..." : ""
    return bold("secretvault \(declaration.name)") + operands.joined() + " [options]" + program
  }

  private static func body(_ declaration: CommandDeclaration, groups: [OptionGroup]) -> [String] {
    let summary = declaration.summary.prefix(1).uppercased() + declaration.summary.dropFirst() + "."
    let aliases = declaration.aliases.map { "It is also called \($0)." }
    let paragraphs = [summary] + aliases + declaration.notes
    let options = groups.flatMap { group in
      [".PP", text(group.heading.prefix(1).uppercased() + group.heading.dropFirst() + ":")]
        + entries(group)
    }
    return Array(paragraphs.map { [text($0)] }.joined(separator: [".PP"])) + options
  }

  private static func entries(_ group: OptionGroup) -> [String] {
    group.options.flatMap { option in
      let name = bold(option.name)
      let term =
        switch option.value {
        case .none: name
        case .required(let placeholder): "\(name) \(italic(placeholder))"
        case .optional(let placeholder): "\(name)[=\(italic(placeholder))]"
        }
      return [".TP", term, text(option.explanation)]
    }
  }

  private static func exitStatus() -> [String] {
    [".SH EXIT STATUS"]
      + ExitCode.allCases.flatMap { [".TP", "\($0.rawValue)", text($0.meaning)] }
  }

  private static func bold(_ text: String) -> String { "\\fB\(self.text(text))\\fR" }

  private static func italic(_ text: String) -> String { "\\fI\(self.text(text))\\fR" }

  /// Escapes a line of text, so that every character stands for itself (groff_char(7)): a hyphen that can be
  /// copied as one, and no dot or quote at the start, where it would begin a request.
  private static func text(_ text: String) -> String {
    let escapes: [Character: String] = [
      "\\": "\\(rs", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "`": "\\(ga", "^": "\\(ha",
      "~": "\\(ti",
    ]
    let escaped = text.map { escapes[$0] ?? String($0) }.joined()
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }
}
