import Glibc
import SecretVault

/// Where `set` and `add` take the secret from.
enum SecretSource {
  case generated(length: Int)
  case file(String)
  case descriptor(Descriptor)
  case terminal

  /// Takes the first source that is given: the options in their documented order, then standard input
  /// unless it is a terminal, then the terminal.
  ///
  /// - Throws: A usage failure: closed input, or one that the passphrase comes from too.
  init(_ arguments: ParsedArguments) throws(Failure) {
    if arguments.has(.generate) {
      let length = arguments.value(of: .generate) ?? "\(RandomText.standardLength)"
      self = .generated(length: try RandomText.length(length, for: Option.generate.name))
    } else if let path = arguments.value(of: .file) {
      self = .file(path)
    } else if let descriptor = try DescriptorOptions.descriptor(.descriptor, in: arguments) {
      self = .descriptor(descriptor)
    } else if Descriptor.standardInput.isTerminal {
      self = .terminal
    } else {
      try DescriptorOptions.requireStandardInput(
        for: "the secret",
        instead: "--file, --fd, --generate",
        in: arguments
      )
      self = .descriptor(.standardInput)
    }
  }

  /// Reads or makes the secret; every byte counts, and the empty secret is one too.
  func read(_ console: Console) throws -> SecretBytes {
    switch self {
    case .generated(let length): return try RandomText.characters(length)
    case .descriptor(let descriptor):
      return try SecretReader.read(descriptor, limit: SecretReader.secretLimit, name: "the secret")
    case .file(let path):
      return try SecretReader.read(file: path, limit: SecretReader.secretLimit)
    case .terminal:
      guard let terminal = console.terminal else {
        throw Failure.usage("there is no terminal to ask on; give --file, --fd or --generate")
      }
      return try terminal.askTwice("Secret: ", again: "The same secret again: ")
    }
  }
}
