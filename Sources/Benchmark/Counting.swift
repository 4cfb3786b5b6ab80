import Glibc

/// Runs exactly N operations between two marks, for tools that count instructions or system calls.
///
/// Names and values are made before the first mark, as many as there are items, so that they cost the same
/// for N operations and for 2N. What one operation costs is the difference of the two runs over N.
struct Counting {
  let scratch: Scratch
  let shape: Shape
  let count: Options.Count

  /// Sets up one subject, and runs.
  func run() throws(BenchmarkError) {
    let folder = try scratch.folder("count")
    if count.isFloor {
      try run(on: try Floor(folder: folder, shape: shape))
    } else {
      try run(on: try StoreSubject(folder: folder, shape: shape))
    }
  }

  private func run(on subject: some Subject) throws(BenchmarkError) {
    let exercise = Exercise(subject: subject, shape: shape)
    if count.workload != .bulk { try exercise.fill() }
    let plan = try exercise.plan(count.workload, count: shape.items, seed: 1)
    mark("/benchmark-begin")
    _ = try exercise.perform(count.workload, plan, count: count.operations)
    mark("/benchmark-end")
    try subject.close()
  }

  /// A system call that does nothing and stands out in a trace.
  private func mark(_ name: String) {
    _ = unsafe access(name, F_OK)
  }
}
