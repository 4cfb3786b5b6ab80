/// One line of the report.
struct Summary {
  /// What was measured, with the sizes that matter.
  let name: String
  let items: Int
  let valueByteCount: Int
  let unit: String
  let store: Sides
  /// What the store is compared with; `nil` where there is nothing.
  let floor: Sides?
  /// The median of the CPU time that others used, in processors.
  let others: Double
  let keptRounds: Int
  let rounds: Int

  /// The medians over the rounds that were kept.
  struct Sides {
    let median: Double
    /// The 99th percentile, where a round has more than a few operations.
    let tail: Double?
  }

  /// The store as a multiple of the floor.
  var ratio: Double? {
    guard let floor, floor.median > 0 else { return nil }
    return store.median / floor.median
  }
}

extension Summary {
  /// The quieter half of the rounds, chosen by what others did and never by the result.
  static func quieterHalf<Round>(_ rounds: [Round], _ others: (Round) -> Double) -> [Round] {
    let sorted = rounds.sorted { others($0) < others($1) }
    return Array(sorted.prefix((rounds.count + 1) / 2))
  }

  /// One summary for each shape and workload.
  static func summaries(of measurements: [Measurement], on shapes: [Shape]) -> [Summary] {
    shapes.flatMap { shape in
      Workload.onStores.compactMap { workload in
        let rounds = measurements.filter { $0.workload == workload && $0.shape == shape }
        return rounds.isEmpty ? nil : Summary(workload, rounds)
      }
    }
  }

  private init(_ workload: Workload, _ rounds: [Measurement]) {
    let kept = Self.quieterHalf(rounds, \.others)
    name = workload.rawValue
    items = rounds[0].shape.items
    valueByteCount = rounds[0].shape.valueByteCount
    unit = workload.unit
    store = Sides(kept.map(\.store))
    floor = Sides(kept.map(\.floor))
    others = Quantiles.median(kept.map(\.others))
    keptRounds = kept.count
    self.rounds = rounds.count
  }
}

extension Summary.Sides {
  init(_ rounds: [Quantiles]) {
    median = Quantiles.median(rounds.map(\.median))
    let hasTail = rounds.allSatisfy { $0.count >= 100 }
    tail = hasTail ? Quantiles.median(rounds.map(\.tail)) : nil
  }
}

extension Summary.Sides {
  /// Takes the times of each round in microseconds.
  init(milliseconds rounds: [[Double]]) {
    self.init(rounds.map { Quantiles($0.map { $0 / 1000 }) })
  }
}

extension Workload {
  /// What the figures of this workload are.
  var unit: String {
    switch self {
    case .bulk, .list: "us/item"
    case .size: "B/item"
    case .rotate, .open, .tool: "ms"
    case .get, .miss, .put, .replace, .delete, .keychain, .observe: "us"
    case .contend: "1/s"
    }
  }
}
