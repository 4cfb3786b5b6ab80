/// What a command talks to: its output, the notes beside it, and the terminal.
final class Console {
  /// Standard output, for what the command was asked for.
  let output = Output(.standardOutput, name: "to standard output")
  /// Whether `--json` was given.
  let usesJSON: Bool
  private let isQuiet: Bool
  private var hasProgress = false
  private let notes = Output(.standardError, name: "to standard error")

  init(json: Bool, quiet: Bool) {
    usesJSON = json
    isQuiet = quiet
  }

  /// The terminal to ask on, or `nil` where the process has none.
  private(set) lazy var terminal = Terminal.open()

  /// Says something beside the output, unless `--quiet` was given; the work goes on where it cannot.
  func note(_ text: String) {
    if !isQuiet { try? writeLine(text) }
  }

  /// Shows how far the work has come, in one line of the terminal that is written over; elsewhere nothing.
  func showProgress(_ text: String) {
    guard !isQuiet, notes.isTerminal else { return }
    hasProgress = true
    try? notes.write("\r\(text)")
    try? notes.flush()
  }

  /// Leaves the line of the progress, if there is one.
  func endProgress() {
    guard hasProgress else { return }
    hasProgress = false
    try? notes.write("\n")
    try? notes.flush()
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
