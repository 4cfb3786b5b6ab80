extension Exercise {
  /// Reads back what a workload wrote or removed, and the names of a listing, outside of every measurement.
  func check(
    _ workload: Workload,
    _ plan: Plan<Tested.Value>
  ) throws(BenchmarkError) {
    switch workload {
    case .bulk, .put: try requireValues(of: plan.entries, generation: 0)
    case .replace: try requireValues(of: plan.entries, generation: 1)
    case .delete:
      for entry in plan.entries {
        guard try !subject.read(entry)
        else { throw .wrongResult("a deleted item was found") }
      }
    case .list: try requireListing()
    case .rotate:
      try subject.close()
      try subject.open()
      _ = try subject.list()
      subject.forgetListing()
    case .get, .miss, .size, .open, .keychain, .tool, .contend, .observe: break
    }
  }

  private func requireValues(
    of entries: [Entry],
    generation: UInt64
  ) throws(BenchmarkError) {
    for entry in entries {
      let bytes = Values.bytes(
        of: entry.index,
        generation: generation,
        count: shape.valueByteCount
      )
      guard try subject.read(entry), subject.lastReadEquals(bytes)
      else { throw .wrongResult("a value is not what was stored") }
    }
  }

  private func requireListing() throws(BenchmarkError) {
    let listed = Set(try subject.listedNames())
    let stored = Set((0..<shape.items).map { Entry($0).bytes })
    guard listed == stored else { throw .wrongResult("a listing has other names than were stored") }
  }
}
