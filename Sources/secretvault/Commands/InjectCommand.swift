import SecretVault

/// `inject`: writes a template with secrets in the places of their references.
struct InjectCommand: Command {
  static let declaration = CommandDeclaration(
    name: "inject",
    summary: "fill the references of a template with their secrets",
    options: [
      OptionGroup("else standard input and standard output", [.input, .privateOutput]),
      .credentials, .vault,
    ],
    notes: [
      "{{ secret://SERVICE/ACCOUNT }}, with ?group=NAME where needed, becomes the bytes of the secret;"
        + " {{{{ becomes {{, and everything else stays as it is.",
      "Nothing is written unless every reference can be resolved. The file gets its name when it is"
        + " whole; one that exists is replaced.",
    ]
  )

  private let vault: VaultAccess
  private let input: String?
  private let output: PrivateOutput?

  init(_ arguments: ParsedArguments) throws(Failure) {
    vault = try VaultAccess(arguments)
    input = arguments.value(of: .input)
    output = arguments.value(of: .privateOutput).map { PrivateOutput($0, replacesFile: true) }
    if input == nil {
      try DescriptorOptions.requireStandardInput(
        for: "the template",
        instead: "--in",
        in: arguments
      )
    }
  }

  func run(_ console: Console) throws {
    try output?.check()
    let template = try readTemplate(console)
    let secrets =
      try template.hasReferences ? vault.withItems(console, template.secrets(from:)) : []
    if let output {
      try output.write { output, _ in try template.write(secrets, to: output) }
    } else {
      try template.write(secrets, to: console.output)
    }
  }

  private func readTemplate(_ console: Console) throws -> Template {
    if let input {
      return try Descriptor.reading(input) { descriptor in
        try Template(reading: descriptor, name: TextEscaping.escaped(input))
      }
    }
    if Descriptor.standardInput.isTerminal {
      console.note("reading the template from the terminal; end it with ^D, or give --in")
    }
    return try Template(reading: .standardInput, name: "standard input")
  }
}
