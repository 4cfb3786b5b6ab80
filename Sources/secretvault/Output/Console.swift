/// What a command talks to: its output, the notes beside it, and the terminal.
final class Console {
  /// Standard output, for what the command was asked for.
  let output = Output(.standardOutput, name: "to standard output")
  /// Whether `--json` was given.
  let usesJSON: Bool
  /// How far the work has come.
  let progress: ProgressLine
  private let isQuiet: Bool
  private let notes = Output(.standardError, name: "to standard error")

  init(json: Bool, quiet: Bool) {
    usesJSON = json
    isQuiet = quiet
    progress = ProgressLine(isShown: !quiet)
  }

  /// The terminal to ask on, or `nil` where the process has none.
  private(set) lazy var terminal = Terminal.open()

  /// Says something beside the output, unless `--quiet` was given; the work goes on where it cannot.
  func note(_ text: String) {
    if !isQuiet { try? writeLine(text) }
  }

  /// Tells what went wrong, in one line that nothing silences, and returns the exit code.
  func report(_ failure: Failure) -> ExitCode {
    // Nobody is left to be told when standard error cannot be written.
    try? output.flush()
    try? usesJSON ? writeDocument(failure) : writeLine(failure.message)
    return failure.exitCode
  }

  private func writeLine(_ text: String) throws(Failure) {
    try notes.write("secretvault: \(text)\n")
    try notes.flush()
  }

  private func writeDocument(_ failure: Failure) throws {
    let error = JSON.object([
      ("code", .number(UInt64(failure.exitCode.rawValue))),
      ("name", .string(failure.name)),
      ("message", .string(failure.message)),
    ])
    try notes.write(line: .document([("error", error)]))
    try notes.flush()
  }
}
