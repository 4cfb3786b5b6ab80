import CLinux
import Glibc

/// A program and its arguments, which stand after `--`.
struct Program {
  private let name: String
  private let wordCount: Int
  /// What credentials are read from; none of it is for the program.
  private let withheld: [Descriptor]

  /// Takes the words after `--`.
  ///
  /// - Throws: A usage failure: there are none, or others before it.
  init(_ arguments: ParsedArguments) throws(Failure) {
    wordCount = arguments.trailingOperandCount
    guard let name = arguments.operand(0), wordCount == arguments.operands.count else {
      throw .usage("run needs -- and a command after it; see secretvault help run")
    }
    try ProcessArguments.requireText(exceptLast: wordCount)
    self.name = TextEscaping.quoted(name)
    let descriptors = [
      try DescriptorOptions.descriptor(.passphraseDescriptor, in: arguments),
      try DescriptorOptions.descriptor(.recoveryCodeDescriptor, in: arguments),
    ]
    withheld = descriptors.compactMap(\.self)
  }

  /// Puts the program in the place of this process, found along PATH where its name has no slash.
  ///
  /// Every descriptor of ours closes by itself then, and locked memory goes.
  ///
  /// - Returns: Why it could not be started.
  func start(_ environment: EnvironmentBlock) -> Failure {
    for descriptor in withheld { descriptor.withholdFromProgram() }
    CallerSettings.restore()
    let error = unsafe ProcessArguments.withLast(wordCount) { words in
      unsafe environment.withEntries { entries in
        unsafe secretvault_execute(words.pointee, words, entries)
      }
    }
    return failure(error)
  }

  private func failure(_ error: Int32) -> Failure {
    switch error {
    case ENOENT:
      Failure(
        .programNotFound,
        name: "programNotFound",
        "\(name): there is no such command; check its name and PATH"
      )
    case E2BIG, ENOMEM:
      Failure(
        .nothingStarted,
        name: "limitExceeded",
        "the variables and arguments are more than a program can get; use inject for long secrets"
      )
    default:
      Failure(
        .notExecutable,
        name: "notExecutable",
        "\(name): \(unsafe String(cString: strerror(error))); check its mode and its kind"
      )
    }
  }
}
