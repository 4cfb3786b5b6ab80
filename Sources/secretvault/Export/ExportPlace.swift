/// Where an export goes.
enum ExportPlace: Sendable {
  /// A file that does not exist yet.
  case file(String)
  case standardOutput

  /// The place that `--out` or `--stdout` names: plain text goes nowhere without being told.
  ///
  /// - Throws: A usage failure where neither does, or both.
  init(_ arguments: ParsedArguments) throws(Failure) {
    switch (arguments.value(of: .privateOutput), arguments.has(.standardOutput)) {
    case (let path?, false): self = .file(path)
    case (nil, true): self = .standardOutput
    case (nil, false), (_?, true):
      throw .usage("export needs a place; give --out with a file, or --stdout")
    }
  }

  /// Looks whether the place can be taken, before anything is asked.
  ///
  /// - Throws: A failure where a file of that name exists.
  func check() throws(Failure) {
    if case .file(let path) = self { try Self.output(path).check() }
  }

  /// Writes plain text there, whole or not at all.
  func write(_ export: PlainExport, _ console: Console) throws {
    switch self {
    case .file(let path):
      try Self.output(path).write { output, signals in
        try export.write(to: output, checkpoint: signals.checkNoSignal)
      }
    case .standardOutput:
      // Once into the void, so that no half of it is seen where something cannot be written.
      try Output.discarding(export.write)
      try export.write(to: console.output)
    }
  }

  private static func output(_ path: String) -> PrivateOutput {
    PrivateOutput(path, replacesFile: false)
  }
}
