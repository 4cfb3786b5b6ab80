/// `tour`: runs the main job in a temporary vault, with the real tool, and shows what happens.
struct TourCommand: Command {
  static let declaration = CommandDeclaration(
    name: "tour",
    summary: "run the main job in a temporary vault and show each command with its output",
    notes: ["The vault is made in TMPDIR, else /tmp, and removed again."]
  )

  init(_ arguments: ParsedArguments) {}

  /// A signal waits until the folder is gone; the steps have sessions of their own, where ^C does not come.
  func run(_ console: Console) throws {
    try SignalWatch.hold { signals in try run(console, signals) }
  }

  private func run(_ console: Console, _ signals: SignalWatch) throws {
    let folder = try TourFolder()
    defer { folder.remove() }
    try folder.prepare()
    var outcomes: [(step: TourStep, result: TourResult)] = []
    for step in TourStep.all {
      try signals.checkNoSignal()
      let result = try folder.run(step)
      outcomes.append((step, result))
      if !console.usesJSON { try show(step, result, console) }
    }
    let heldCount = outcomes.count { $0.step.isHeld(by: $0.result) }
    let verdict = "\(heldCount) of \(outcomes.count) steps held"
    if console.usesJSON {
      let steps = outcomes.map { Self.document($0.step, $0.result) }
      try console.output.write(
        line: .document([("steps", .array(steps)), ("verdict", .string(verdict))])
      )
    } else {
      try console.output.write(verdict + "\n")
    }
    if heldCount < outcomes.count {
      throw Failure(.other, name: "tour", "\(verdict); read the output of the others")
    }
  }

  private func show(_ step: TourStep, _ result: TourResult, _ console: Console) throws {
    try console.output.write("$ \(step.commandLine)\n")
    try console.output.write(result.output)
    if let last = result.output.last, last != UInt8(ascii: "\n") { try console.output.write("\n") }
    try console.output.write(result.notes)
    if result.exitCode != 0 { try console.output.write("exit \(result.exitCode)\n") }
    if !step.isHeld(by: result) {
      try console.output.write("this did not hold: \(step.expectation)\n")
    }
    try console.output.write("\n")
    try console.output.flush()
  }

  private static func document(_ step: TourStep, _ result: TourResult) -> JSON {
    .object([
      ("command", .string(step.commandLine)),
      ("exit", .string(String(result.exitCode))),
      ("output", .bytes(result.output)),
      ("notes", .bytes(result.notes)),
      ("held", .bool(step.isHeld(by: result))),
    ])
  }
}
