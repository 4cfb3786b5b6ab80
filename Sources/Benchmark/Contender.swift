import Glibc

/// A process of its own that stores items one after the other, in a file that others write too.
///
/// It says that it is ready with one byte, begins when its input ends, and at its end reports each item that it
/// stored.
struct Contender {
  /// What it writes to, and how it comes to its turn.
  enum Kind: String, CaseIterable {
    case store
    /// The floor, with a blocking `flock` around each transaction.
    case lockingFloor
    /// The floor, with SQLite's stock busy handler.
    case pollingFloor
  }

  /// One item that was stored, with the monotonic times around the call, in microseconds.
  struct Put {
    let index: Int
    let begin: Double
    let end: Double
  }

  let kind: Kind
  let folder: String
  let first: Int
  let count: Int
  let valueByteCount: Int
  /// Whether its items are there already.
  var isReplacing = false
  /// How long it rests before each item, so that each change comes to an observer by itself.
  var restMicroseconds = 0

  /// The words that make another process of this program one.
  private static let option = "--contender"
  private static let patienceMilliseconds: Int32 = 5000

  /// The process of this contender.
  var process: ChildProcess {
    let numbers = [first, count, valueByteCount, isReplacing ? 1 : 0, restMicroseconds]
    return ChildProcess(
      path: "/proc/self/exe",
      arguments: [Self.option, kind.rawValue, folder] + numbers.map(String.init)
    )
  }

  /// What a process of a contender reported.
  static func puts(_ report: [UInt8]) -> [Put] {
    report.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let numbers = line.split(separator: UInt8(ascii: " "))
        .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
      guard numbers.count == 3 else { return nil }
      return Put(index: numbers[0], begin: Double(numbers[1]), end: Double(numbers[2]))
    }
  }
}

extension Contender {
  /// Reads the command line of such a process without the program's name; `nil` where it is another's.
  init?(_ arguments: some Collection<String>) {
    let words = Array(arguments)
    guard words.count == 8, words[0] == Self.option, let kind = Kind(rawValue: words[1])
    else { return nil }
    let numbers = words[3...].compactMap { Int($0) }
    guard numbers.count == 5 else { return nil }
    self.init(
      kind: kind,
      folder: words[2],
      first: numbers[0],
      count: numbers[1],
      valueByteCount: numbers[2],
      isReplacing: numbers[3] == 1,
      restMicroseconds: numbers[4]
    )
  }

  /// Does what the process is for.
  func run() throws(BenchmarkError) {
    let shape = Shape(items: first + count, valueByteCount: valueByteCount)
    switch kind {
    case .store:
      try store(in: StoreSubject(openIn: folder)) { put throws(BenchmarkError) in try put() }
    case .lockingFloor:
      let lock = try FloorLock(folder: folder)
      try store(in: Floor(folder: folder, shape: shape)) { put throws(BenchmarkError) in
        try lock.whileHeld(put)
      }
    case .pollingFloor:
      let floor = try Floor(folder: folder, shape: shape)
      floor.statements.waitWhileBusy(milliseconds: Self.patienceMilliseconds)
      try store(in: floor) { put throws(BenchmarkError) in try put() }
    }
  }

  private func store<Tested: Subject>(
    in subject: Tested,
    inTurn: (() throws(BenchmarkError) -> Void) throws(BenchmarkError) -> Void
  ) throws(BenchmarkError) {
    let exercise = Exercise(
      subject: subject,
      shape: Shape(items: first, valueByteCount: valueByteCount)
    )
    let plan =
      if isReplacing {
        try exercise.plan(replacing: first..<first + count, seed: 1)
      } else {
        try exercise.plan(.put, count: count, seed: 1)
      }
    waitForStart()
    var report = "\n"
    for (entry, value) in zip(plan.entries, plan.values) {
      if restMicroseconds > 0 { usleep(UInt32(clamping: restMicroseconds)) }
      let begin = Clock.microseconds
      do throws(BenchmarkError) {
        try inTurn { () throws(BenchmarkError) in try subject.put(entry, value) }
      } catch {
        continue
      }
      report += "\(entry.index) \(Int(begin)) \(Int(Clock.microseconds))\n"
    }
    print(report)
    try subject.close()
  }

  private func waitForStart() {
    var byte = UInt8(ascii: "!")
    _ = unsafe write(1, &byte, 1)
    while unsafe read(0, &byte, 1) > 0 {}
  }
}

/// A lock around the floor's transactions, for which the kernel lets its waiters sleep.
private final class FloorLock {
  private let file: Int32

  init(folder: String) throws(BenchmarkError) {
    file = unsafe open(folder + "/floor.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("open", number: errno) }
  }

  deinit { close(file) }

  func whileHeld(_ body: () throws(BenchmarkError) -> Void) throws(BenchmarkError) {
    guard flock(file, LOCK_EX) == 0 else { throw .system("flock", number: errno) }
    defer { flock(file, LOCK_UN) }
    try body()
  }
}
