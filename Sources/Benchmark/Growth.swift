/// How much slower a call gets as the store grows.
enum Growth {
  /// For `get` and `put` at each size of value, the largest store's time as a multiple of the smallest's,
  /// of the store and of the floor.
  static func summaries(of summaries: [Summary]) -> [Summary] {
    [Workload.get, .put].flatMap { workload in
      let lines = summaries.filter { $0.name == workload.rawValue }
      let values = Set(lines.map(\.valueByteCount)).sorted()
      return values.compactMap { value in
        summary(workload, lines.filter { $0.valueByteCount == value })
      }
    }
  }

  private static func summary(_ workload: Workload, _ lines: [Summary]) -> Summary? {
    let sorted = lines.sorted { $0.items < $1.items }
    guard let small = sorted.first, let large = sorted.last, small.items < large.items,
      let smallFloor = small.floor, let largeFloor = large.floor
    else { return nil }
    return Summary(
      name: "\(workload.rawValue), growth from \(small.items)",
      items: large.items,
      valueByteCount: large.valueByteCount,
      unit: "times",
      store: Summary.Sides(median: large.store.median / small.store.median, tail: nil),
      floor: Summary.Sides(median: largeFloor.median / smallFloor.median, tail: nil),
      others: max(small.others, large.others),
      keptRounds: large.keptRounds,
      rounds: large.rounds
    )
  }
}
