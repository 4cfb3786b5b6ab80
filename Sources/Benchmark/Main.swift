import Glibc

/// The entry of the benchmark.
@main
struct Main {
  static func main() {
    if let contender = Contender(CommandLine.arguments.dropFirst()) {
      return finish { () throws(BenchmarkError) in try contender.run() }
    }
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      Self.note(Options.usage)
      exit(2)
    }
    finish { () throws(BenchmarkError) in
      let scratch = try Scratch(in: options.scratch)
      defer { scratch.remove() }
      try run(options, scratch)
    }
  }

  private static func finish(_ work: () throws(BenchmarkError) -> Void) {
    do throws(BenchmarkError) { try work() } catch {
      note("error: \(error.message)\n")
      exit(1)
    }
  }

  private static func run(_ options: Options, _ scratch: Scratch) throws(BenchmarkError) {
    if let count = options.count {
      let shape = Shape(
        items: options.itemCounts[0],
        valueByteCount: options.valueByteCounts[0]
      )
      return try Counting(scratch: scratch, shape: shape, count: count).run()
    }
    let report = Report(writesJSON: options.writesJSON)
    report.writeHead()
    try measureStores(options, scratch, report)
    if options.workloads.contains(.open) { try measureOpening(options, scratch, report) }
    if options.workloads.contains(.keychain) {
      note("the keychain's calls\n")
      let calls = KeychainCalls(scratch: scratch, count: options.rounds)
      for summary in try calls.run() { report.write(summary) }
    }
    if options.workloads.contains(.tool) { try measureProcesses(options, scratch, report) }
    if options.workloads.contains(.contend) { try measureContention(options, scratch, report) }
    if options.workloads.contains(.observe) {
      let observation = Observation(scratch: scratch, valueByteCount: options.valueByteCounts[0])
      for summary in try observation.run() { report.write(summary) }
    }
  }

  private static func measureStores(
    _ options: Options,
    _ scratch: Scratch,
    _ report: Report
  ) throws(BenchmarkError) {
    guard options.workloads.contains(where: Workload.onStores.contains) else { return }
    if options.leavesShapesOut { note("values of 64 KiB are measured to 10,000 items only\n") }
    let rounds = Rounds(
      scratch: scratch,
      shapes: options.shapes,
      count: options.rounds,
      workloads: options.workloads
    )
    let measurements = try rounds.run { shape, round in
      note("round \(round + 1): \(shape.items) items of \(shape.valueByteCount) B\n")
    }
    let summaries = Summary.summaries(of: measurements, on: options.shapes)
    for summary in summaries { report.write(summary) }
    for summary in Growth.summaries(of: summaries) { report.write(summary) }
  }

  /// The smallest and the largest store show whether opening depends on the size.
  private static func measureOpening(
    _ options: Options,
    _ scratch: Scratch,
    _ report: Report
  ) throws(BenchmarkError) {
    let counts = Set(options.itemCounts).sorted()
    for items in Set([counts[0], counts[counts.count - 1]]).sorted() {
      note("opening a store of \(items) items\n")
      let shape = Shape(items: items, valueByteCount: options.valueByteCounts[0])
      let opening = Opening(scratch: scratch, shape: shape, count: options.rounds)
      for summary in try opening.run() { report.write(summary) }
    }
  }

  private static func measureProcesses(
    _ options: Options,
    _ scratch: Scratch,
    _ report: Report
  ) throws(BenchmarkError) {
    guard let tool = options.tool else {
      return note("no --tool was given, so its processes are left out\n")
    }
    note("processes of the tool\n")
    let processes = Processes(
      scratch: scratch,
      shape: Shape(items: options.itemCounts[0], valueByteCount: options.valueByteCounts[0]),
      count: options.rounds,
      tool: tool,
      floorProgram: options.floorProgram
    )
    for summary in try processes.run() { report.write(summary) }
  }

  private static func measureContention(
    _ options: Options,
    _ scratch: Scratch,
    _ report: Report
  ) throws(BenchmarkError) {
    for isReplacing in [false, true] {
      let contention = Contention(
        scratch: scratch,
        valueByteCount: options.valueByteCounts[0],
        rounds: options.rounds,
        isReplacing: isReplacing
      )
      let items = isReplacing ? "items that are there" : "new items"
      let summaries = try contention.run { round in
        note("round \(round + 1): several processes, \(items)\n")
      }
      for summary in summaries { report.write(summary) }
    }
  }

  /// Writes to standard error; the report has standard output to itself.
  private static func note(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(2, bytes, bytes.count)
  }
}
