/// Measures durable puts of several processes at once, of new items or over those that are there: the library, the floor
/// behind a lock that blocks, and the floor with SQLite's stock busy handler, by turns.
struct Contention {
  let scratch: Scratch
  let valueByteCount: Int
  let rounds: Int
  let isReplacing: Bool

  private static let processCounts = [1, 2, 4, 8]
  private static let putsPerProcess = 200

  /// What all processes of one race did.
  private struct Race {
    let putsPerSecond: Double
    /// The longest that one put took, in milliseconds.
    let worst: Double
    let lost: Double
    let failed: Double
  }

  /// One race of each kind, one right after the other.
  private struct Round {
    let races: [Contender.Kind: Race]
    let others: Double

    func race(_ kind: Contender.Kind, _ figure: (Race) -> Double) -> Double {
      races[kind].map(figure) ?? 0
    }
  }

  /// Runs all rounds; `progress` is told what comes next.
  func run(progress: (Int) -> Void) throws(BenchmarkError) -> [Summary] {
    var found: [Int: [Round]] = [:]
    for round in 0..<rounds {
      progress(round)
      for count in Self.processCounts {
        found[count, default: []].append(try measure(count, startingWith: round))
      }
    }
    return Self.processCounts.flatMap { summaries(of: found[$0] ?? [], $0) }
  }

  private func measure(_ count: Int, startingWith round: Int) throws(BenchmarkError) -> Round {
    let quietness = Quietness()
    let kinds = Contender.Kind.allCases
    var races: [Contender.Kind: Race] = [:]
    for offset in kinds.indices {
      let kind = kinds[(offset + round) % kinds.count]
      races[kind] = try race(kind, count)
    }
    return Round(races: races, others: quietness.others)
  }

  private func race(_ kind: Contender.Kind, _ count: Int) throws(BenchmarkError) -> Race {
    let folder = try scratch.folder("contend")
    defer { Scratch.remove(folder) }
    if kind == .store {
      return try race(in: StoreSubject(keyedIn: folder), kind, folder, count)
    }
    return try race(in: Floor(folder: folder, shape: shape(count)), kind, folder, count)
  }

  private func shape(_ count: Int) -> Shape {
    Shape(items: count * Self.putsPerProcess, valueByteCount: valueByteCount)
  }

  /// Starts all processes, lets them begin at once, and reads back what they say they stored.
  private func race(
    in subject: some Subject,
    _ kind: Contender.Kind,
    _ folder: String,
    _ count: Int
  ) throws(BenchmarkError) -> Race {
    if isReplacing { try Exercise(subject: subject, shape: shape(count)).fill() }
    var processes: [RunningProcess] = []
    for number in 0..<count {
      let contender = Contender(
        kind: kind,
        folder: folder,
        first: number * Self.putsPerProcess,
        count: Self.putsPerProcess,
        valueByteCount: valueByteCount,
        isReplacing: isReplacing
      )
      processes.append(try contender.process.start())
    }
    for process in processes { process.awaitByte() }
    for process in processes { process.endInput() }
    var puts: [Contender.Put] = []
    for process in processes { puts += Contender.puts(try process.finish()) }
    let lost = try countLost(puts, in: subject)
    try subject.close()
    let begin = puts.map(\.begin).min() ?? 0
    let end = puts.map(\.end).max() ?? 0
    return Race(
      putsPerSecond: end > begin ? Double(puts.count) / (end - begin) * 1e6 : 0,
      worst: (puts.map { $0.end - $0.begin }.max() ?? 0) / 1000,
      lost: Double(lost),
      failed: Double(count * Self.putsPerProcess - puts.count)
    )
  }

  private func countLost(
    _ puts: [Contender.Put],
    in subject: some Subject
  ) throws(BenchmarkError) -> Int {
    var lost = 0
    for put in puts {
      let bytes = Values.bytes(
        of: put.index,
        generation: isReplacing ? 1 : 0,
        count: valueByteCount
      )
      let isThere = try subject.read(Entry(put.index)) && subject.lastReadEquals(bytes)
      if !isThere { lost += 1 }
    }
    return lost
  }

  /// Throughput beside the lock that blocks, the worst wait beside the stock handler, and all that went wrong.
  private func summaries(of rounds: [Round], _ count: Int) -> [Summary] {
    let kept = Summary.quieterHalf(rounds, \.others)
    func sides(_ kind: Contender.Kind, _ figure: (Race) -> Double) -> Summary.Sides {
      Summary.Sides(median: Quantiles.median(kept.map { $0.race(kind, figure) }), tail: nil)
    }
    func worst(_ kind: Contender.Kind) -> Summary.Sides {
      let all = rounds.map { $0.race(kind, \.worst) }
      return Summary.Sides(median: sides(kind, \.worst).median, tail: all.max())
    }
    func sum(_ kinds: [Contender.Kind], _ figure: (Race) -> Double) -> Summary.Sides {
      let all = rounds.flatMap { round in kinds.map { round.race($0, figure) } }
      return Summary.Sides(median: all.reduce(0, +), tail: nil)
    }
    func summary(
      _ figure: String,
      _ unit: String,
      _ store: Summary.Sides,
      _ floor: Summary.Sides
    ) -> Summary {
      Summary(
        name: "\(isReplacing ? "replace" : "contend") \(count), \(figure)",
        items: count * Self.putsPerProcess,
        valueByteCount: valueByteCount,
        unit: unit,
        store: store,
        floor: floor,
        others: Quantiles.median(kept.map(\.others)),
        keptRounds: kept.count,
        rounds: rounds.count
      )
    }
    let floors: [Contender.Kind] = [.lockingFloor, .pollingFloor]
    return [
      summary(
        "puts",
        Workload.contend.unit,
        sides(.store, \.putsPerSecond),
        sides(.lockingFloor, \.putsPerSecond)
      ),
      summary("worst", "ms", worst(.store), worst(.pollingFloor)),
      summary("lost", "puts", sum([.store], \.lost), sum(floors, \.lost)),
      summary("failed", "puts", sum([.store], \.failed), sum(floors, \.failed)),
    ]
  }
}
