/// The names and values of the operations of one workload, made before the clock runs.
struct Plan<Value> {
  let entries: [Entry]
  /// What is written, in the subject's form.
  var values: [Value] = []
  /// What must be read.
  var expected: [[UInt8]] = []
}

/// Runs workloads on one subject and checks every result.
struct Exercise<Tested: Subject> {
  let subject: Tested
  let shape: Shape

  /// Stores all items of the shape, and empties the log.
  func fill() throws(BenchmarkError) {
    let plan = try plan(.bulk, count: shape.items, seed: 1)
    _ = try perform(.bulk, plan, count: shape.items)
    try subject.settle()
  }

  /// Stores all items of the shape, for a store that is opened later.
  func fillAndClose() throws(BenchmarkError) {
    try fill()
    try subject.close()
  }

  /// Chooses the items of a workload, the same for every subject.
  func plan(
    _ workload: Workload,
    count: Int,
    seed: UInt64
  ) throws(BenchmarkError) -> Plan<Tested.Value> {
    var random = XorShift(seed: seed)
    switch workload {
    case .bulk:
      return try writing(Array(0..<count), generation: 0)
    case .put:
      return try writing(Array(shape.items..<shape.items + count), generation: 0)
    case .replace:
      let indices = (0..<count).map { _ in Int.random(in: 0..<shape.items, using: &random) }
      return try writing(indices, generation: 1)
    case .get:
      let indices = (0..<count).map { _ in Int.random(in: 0..<shape.items, using: &random) }
      let expected = indices.map { Values.bytes(of: $0, count: shape.valueByteCount) }
      return Plan(entries: indices.map { Entry($0) }, expected: expected)
    case .miss:
      return Plan(entries: (0..<count).map { Entry.missing($0) })
    case .delete:
      let stride = max(1, shape.items / count)
      return Plan(entries: (0..<count).map { Entry($0 * stride) })
    case .list, .rotate, .size, .open, .keychain, .tool, .contend, .observe:
      return Plan(entries: [])
    }
  }

  /// Replaces every item of a range once, in the same random order for every subject.
  func plan(replacing range: Range<Int>, seed: UInt64) throws(BenchmarkError) -> Plan<Tested.Value>
  {
    var random = XorShift(seed: seed)
    return try writing(range.shuffled(using: &random), generation: 1)
  }

  private func writing(
    _ indices: [Int],
    generation: UInt64
  ) throws(BenchmarkError) -> Plan<Tested.Value> {
    var values: [Tested.Value] = []
    values.reserveCapacity(indices.count)
    for index in indices {
      let bytes = Values.bytes(of: index, generation: generation, count: shape.valueByteCount)
      values.append(try subject.value(bytes))
    }
    return Plan(entries: indices.map { Entry($0) }, values: values)
  }

  /// Does the first operations of a plan and returns how long each took, in microseconds; of a listing and a
  /// bulk put, for each item; of a rotation the milliseconds.
  @inline(never)
  func perform(
    _ workload: Workload,
    _ plan: Plan<Tested.Value>,
    count: Int
  ) throws(BenchmarkError) -> [Double] {
    var times = Times(capacity: count)
    switch workload {
    case .bulk:
      try times.measure { () throws(BenchmarkError) in
        try subject.putTogether(plan.entries.prefix(count), plan.values)
      }
      return times.microseconds.map { $0 / Double(count) }
    case .put, .replace: try put(plan, count, &times)
    case .get: try get(plan, count, &times)
    case .miss: try miss(plan, count, &times)
    case .list:
      for _ in 0..<count { try list(&times) }
      return times.microseconds.map { $0 / Double(shape.items) }
    case .delete: try delete(plan, count, &times)
    case .rotate:
      let rotation = try subject.makeRotation()
      try times.measure(rotation)
      return times.microseconds.map { $0 / 1000 }
    case .size, .open, .keychain, .tool, .contend, .observe: break
    }
    return times.microseconds
  }

  private func get(
    _ plan: Plan<Tested.Value>,
    _ count: Int,
    _ times: inout Times
  ) throws(BenchmarkError) {
    for index in 0..<count {
      let isFound = try times.measure { () throws(BenchmarkError) in
        try subject.read(plan.entries[index])
      }
      guard isFound, subject.lastReadEquals(plan.expected[index])
      else { throw .wrongResult("a value is not what was stored") }
    }
  }

  private func put(
    _ plan: Plan<Tested.Value>,
    _ count: Int,
    _ times: inout Times
  ) throws(BenchmarkError) {
    for index in 0..<count {
      try times.measure { () throws(BenchmarkError) in
        try subject.put(plan.entries[index], plan.values[index])
      }
    }
  }

  private func miss(
    _ plan: Plan<Tested.Value>,
    _ count: Int,
    _ times: inout Times
  ) throws(BenchmarkError) {
    for entry in plan.entries.prefix(count) {
      let isFound = try times.measure { () throws(BenchmarkError) in try subject.read(entry) }
      guard !isFound else { throw .wrongResult("an item that nobody stored was found") }
    }
  }

  private func delete(
    _ plan: Plan<Tested.Value>,
    _ count: Int,
    _ times: inout Times
  ) throws(BenchmarkError) {
    for entry in plan.entries.prefix(count) {
      let wasThere = try times.measure { () throws(BenchmarkError) in try subject.remove(entry) }
      guard wasThere else { throw .wrongResult("an item to delete was missing") }
    }
  }

  private func list(_ times: inout Times) throws(BenchmarkError) {
    let found = try times.measure { () throws(BenchmarkError) in try subject.list() }
    guard found == shape.items else { throw .wrongResult("a listing has another number of items") }
    subject.forgetListing()
  }
}
