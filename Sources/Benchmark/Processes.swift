/// Measures whole processes of the tool, and of the C program that does the least for the same.
struct Processes {
  let scratch: Scratch
  let shape: Shape
  let count: Int
  let tool: String
  /// The path of the C program, which reads and writes the floor's file.
  let floorProgram: String?

  private static let runsPerRound = 10

  /// One command of the tool and what stands beside it.
  private struct Command {
    let name: String
    let tool: ChildProcess
    let floor: ChildProcess?
    /// Whether an output is right.
    let isRight: ([UInt8]) -> Bool
    /// Whether the floor's output can be checked in the same way.
    var checksFloor = false
  }

  /// What one round found about one command.
  private struct Round {
    let tool: [Double]
    let floor: [Double]
    let others: Double
  }

  /// Makes both files and runs every command, the tool and the floor by turns.
  func run() throws(BenchmarkError) -> [Summary] {
    let folder = try scratch.folder("tool")
    defer { Scratch.remove(folder) }
    let keyFile = try StoreSubject.makeKeyFile()
    let store = try StoreSubject(folder: folder, keyFile: keyFile)
    let floor = try Floor(folder: folder, shape: shape)
    let keyPath = folder + "/key"
    try StoreSubject.write(keyFile, to: keyPath)
    try Exercise(subject: store, shape: shape).fillAndClose()
    try Exercise(subject: floor, shape: shape).fillAndClose()
    let options = ["--vault", store.path, "--state", folder + "/state", "--key-file", keyPath]
    var summaries: [Summary] = []
    for command in commands(options, floor.path) {
      var rounds: [Round] = []
      for _ in 0..<count { rounds.append(try round(command)) }
      summaries.append(summary(command, rounds))
    }
    return summaries
  }

  private func commands(_ options: [String], _ database: String) -> [Command] {
    let read = Entry(shape.items / 2)
    let written = Entry(shape.items / 3)
    let value = Values.bytes(of: read.index, count: shape.valueByteCount)
    let newValue = Values.bytes(of: written.index, generation: 1, count: shape.valueByteCount)
    func tool(_ words: [String], input: [UInt8] = []) -> ChildProcess {
      ChildProcess(path: self.tool, arguments: words, input: input)
    }
    func floor(_ words: [String]) -> ChildProcess? {
      floorProgram.map { ChildProcess(path: $0, arguments: words) }
    }
    return [
      Command(
        name: "tool get",
        tool: tool(["get", read.service, read.account] + options),
        floor: floor(["get", database, String(read.index)]),
        isRight: { $0 == value },
        checksFloor: true
      ),
      Command(
        name: "tool set",
        tool: tool(["set", written.service, written.account] + options, input: newValue),
        floor: floor(["put", database, String(written.index)]),
        isRight: { $0.isEmpty }
      ),
      Command(
        name: "tool get after set",
        tool: tool(["get", written.service, written.account] + options),
        floor: nil,
        isRight: { $0 == newValue }
      ),
      Command(
        name: "tool list",
        tool: tool(["list"] + options),
        floor: nil,
        isRight: { $0.count { $0 == UInt8(ascii: "\n") } == shape.items }
      ),
      Command(
        name: "tool version",
        tool: tool(["version"]),
        floor: floor(["hello"]),
        isRight: { !$0.isEmpty }
      ),
    ]
  }

  private func round(_ command: Command) throws(BenchmarkError) -> Round {
    let quietness = Quietness()
    var toolTimes = Times(capacity: Self.runsPerRound)
    var floorTimes = Times(capacity: Self.runsPerRound)
    for _ in 0..<Self.runsPerRound {
      let output = try toolTimes.measure { () throws(BenchmarkError) in try command.tool.run() }
      guard command.isRight(output) else { throw .wrongResult(command.name) }
      guard let floor = command.floor else { continue }
      let floorOutput = try floorTimes.measure { () throws(BenchmarkError) in try floor.run() }
      guard !command.checksFloor || command.isRight(floorOutput)
      else { throw .wrongResult("the floor's process") }
    }
    return Round(
      tool: toolTimes.microseconds,
      floor: floorTimes.microseconds,
      others: quietness.others
    )
  }

  private func summary(_ command: Command, _ rounds: [Round]) -> Summary {
    let kept = Summary.quieterHalf(rounds, \.others)
    return Summary(
      name: command.name,
      items: shape.items,
      valueByteCount: shape.valueByteCount,
      unit: Workload.tool.unit,
      store: Summary.Sides(milliseconds: kept.map(\.tool)),
      floor: command.floor.map { _ in Summary.Sides(milliseconds: kept.map(\.floor)) },
      others: Quantiles.median(kept.map(\.others)),
      keptRounds: kept.count,
      rounds: rounds.count
    )
  }
}
