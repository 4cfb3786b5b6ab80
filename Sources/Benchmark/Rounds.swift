/// What one round found about one workload: the store and the floor, one right after the other.
struct Measurement {
  let workload: Workload
  let shape: Shape
  let store: Quantiles
  let floor: Quantiles
  /// The processors' worth of time that others used meanwhile.
  let others: Double
}

/// Runs all rounds.
///
/// A round goes through every shape, so that small and large stores are measured in the same stretch of
/// time and can be compared with each other too.
struct Rounds {
  let scratch: Scratch
  let shapes: [Shape]
  let count: Int
  let workloads: [Workload]

  /// Measures every shape in every round; `progress` is told what comes next.
  func run(progress: (Shape, Int) -> Void) throws(BenchmarkError) -> [Measurement] {
    var measurements: [Measurement] = []
    for round in 0..<count {
      for shape in shapes {
        progress(shape, round)
        measurements += try measure(shape, round)
      }
    }
    return measurements
  }

  private func measure(_ shape: Shape, _ round: Int) throws(BenchmarkError) -> [Measurement] {
    let folder = try scratch.folder("\(shape.items)-\(shape.valueByteCount)-\(round)")
    defer { Scratch.remove(folder) }
    let pair = Pair(
      store: Exercise(subject: try StoreSubject(folder: folder, shape: shape), shape: shape),
      floor: Exercise(subject: try Floor(folder: folder, shape: shape), shape: shape),
      seed: UInt64(round) + 1
    )
    var measurements: [Measurement] = []
    for workload in Workload.onStores where workload == .bulk || workloads.contains(workload) {
      let measurement = try pair.measure(workload)
      if workloads.contains(workload) { measurements.append(measurement) }
    }
    pair.store.subject.close()
    try pair.floor.subject.close()
    return measurements
  }
}

/// The store and the floor of one round.
private struct Pair {
  let store: Exercise<StoreSubject>
  let floor: Exercise<Floor>
  let seed: UInt64

  func measure(_ workload: Workload) throws(BenchmarkError) -> Measurement {
    let quietness = Quietness()
    let storeTimes = try times(of: workload, on: store)
    let floorTimes = try times(of: workload, on: floor)
    return Measurement(
      workload: workload,
      shape: store.shape,
      store: Quantiles(storeTimes),
      floor: Quantiles(floorTimes),
      others: quietness.others
    )
  }

  /// Measures, checks, and writes the log back, so that neither leaves work to the next measurement.
  private func times<Tested: Subject>(
    of workload: Workload,
    on exercise: Exercise<Tested>
  ) throws(BenchmarkError) -> [Double] {
    if workload == .size {
      return [Double(try Scratch.size(of: exercise.subject.path)) / Double(exercise.shape.items)]
    }
    let count = workload.operationCount(on: exercise.shape)
    let plan = try exercise.plan(workload, count: count, seed: seed)
    let times = try exercise.perform(workload, plan, count: count)
    try exercise.check(workload, plan)
    if workload.writes { try exercise.subject.settle() }
    return times
  }
}
