import SecretVault

/// How a secret that was asked for is written.
struct SecretOutput {
  private let newline: Bool?
  private let isForced: Bool

  /// Takes the options `--newline`, `--no-newline` and `--force`.
  ///
  /// - Throws: A usage failure where both decide about the newline.
  init(_ arguments: ParsedArguments) throws(Failure) {
    switch (arguments.has(.newline), arguments.has(.noNewline)) {
    case (true, true): throw .usage("--newline and --no-newline exclude each other; give one")
    case (true, false): newline = true
    case (false, true): newline = false
    case (false, false): newline = nil
    }
    isForced = arguments.has(.force)
  }

  /// Writes exactly the secret's bytes, and a newline on a terminal or where one was asked for.
  ///
  /// - Throws: A usage failure for bytes that could change how the terminal works.
  func write(_ secret: SecretBytes, to console: Console) throws {
    if console.usesJSON {
      return try console.output.write(line: .document([("secret", .secret(secret))]))
    }
    let isTerminal = console.output.isTerminal
    if isTerminal, !isForced, !secret.withBytes({ TextEscaping.isPrintable($0) }) {
      throw Failure.usage(
        "the secret is no printable text; send it to a file or a pipe, or give --force"
      )
    }
    try console.output.write(secret)
    if newline ?? isTerminal { try console.output.write("\n") }
  }
}
