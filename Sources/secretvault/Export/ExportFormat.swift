/// A form in which items leave a vault.
enum ExportFormat: Sendable {
  /// One JSON document, which `import` reads.
  case json
  /// The secrets of one service, as variables or the like.
  case variables(VariableFormat)
  /// A new vault.
  case vault

  /// The names of all formats, for the shell and for failures.
  static let names = ["json"] + VariableFormat.allCases.map(\.rawValue) + ["vault"]

  /// The format that `--format` names.
  ///
  /// - Throws: A usage failure where it names none.
  init(_ arguments: ParsedArguments) throws(Failure) {
    let name = arguments.value(of: .format) ?? ""
    switch name {
    case "json": self = .json
    case "vault": self = .vault
    default:
      guard let format = VariableFormat(rawValue: name) else {
        throw .usage(
          "export needs a format; give --format with one of \(Self.names.joined(separator: ", "))"
        )
      }
      self = .variables(format)
    }
  }
}

/// A form in which an account is the name of a variable and the secret its value.
enum VariableFormat: String, CaseIterable, Sendable {
  /// Lines of `NAME=VALUE`, which `run --env-file` reads.
  case env
  /// Commands that a POSIX shell reads with its dot command.
  case shell
  /// A manifest of a Kubernetes Secret.
  case k8s
}
