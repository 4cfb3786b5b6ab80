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
      try Self.checkStandardInput(arguments)
      self = .descriptor(.standardInput)
    }
  }

  private static func checkStandardInput(_ arguments: ParsedArguments) throws(Failure) {
    guard Descriptor.standardInput.isReadable else {
      throw .usage(
        "standard input is closed; give the secret there, or by --file, --fd, --generate"
      )
    }
    for option in DescriptorOptions.all
    where try DescriptorOptions.descriptor(option, in: arguments) == .standardInput {
      throw .usage("standard input cannot give both \(option.name) and the secret; use another one")
    }
  }

  /// Reads or makes the secret; every byte counts, and the empty secret is one too.
  func read(_ console: Console) throws -> SecretBytes {
    switch self {
    case .generated(let length): return try RandomText.characters(length)
    case .descriptor(let descriptor):
      return try SecretReader.read(descriptor, limit: SecretReader.secretLimit, name: "the secret")
    case .file(let path): return try Self.read(path)
    case .terminal:
      guard let terminal = console.terminal else {
        throw Failure.usage("there is no terminal to ask on; give --file, --fd or --generate")
      }
      return try terminal.askTwice("Secret: ", again: "The same secret again: ")
    }
  }

  /// An ordinary file, a pipe too: it is the user's own, and its mode is not judged.
  private static func read(_ path: String) throws -> SecretBytes {
    let name = TextEscaping.escaped(path)
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else { throw Failure.system(errno, "cannot read \(name)") }
    defer { close(number) }
    let descriptor = Descriptor(number: number)
    return try SecretReader.read(descriptor, limit: SecretReader.secretLimit, name: name)
  }
}
