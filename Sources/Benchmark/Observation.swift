import Dispatch
import SecretVault
import Synchronization

/// Measures how long after another process's commit its event comes: the time from when its call returned.
///
/// Less than nothing is right, too: the commit can be seen a little before the call that made it returns.
struct Observation {
  let scratch: Scratch
  let valueByteCount: Int

  private static let sampleCount = 200
  /// Long enough that no two commits are told together.
  private static let restMicroseconds = 20_000
  private static let patience = DispatchTimeInterval.seconds(5)

  /// Follows a vault while another process writes to it.
  func run() throws(BenchmarkError) -> [Summary] {
    let folder = try scratch.folder("observe")
    defer { Scratch.remove(folder) }
    let subject = try StoreSubject(keyedIn: folder)
    let contender = Contender(
      kind: .store,
      folder: folder,
      first: 0,
      count: Self.sampleCount,
      valueByteCount: valueByteCount,
      restMicroseconds: Self.restMicroseconds
    )
    let quietness = Quietness()
    let process = try contender.process.start()
    process.awaitByte()
    let arrivals = Arrivals(of: subject.changes, count: Self.sampleCount)
    process.endInput()
    let puts = Contender.puts(try process.finish())
    let times = arrivals.wait(until: .now() + Self.patience)
    subject.close()
    let delays = puts.compactMap { put in
      times[Entry(put.index).bytes.service].map { $0 - put.end }
    }
    guard delays.count == Self.sampleCount
    else { throw .wrongResult("a change of another process was not told") }
    return summaries(delays, others: quietness.others)
  }

  private func summaries(_ delays: [Double], others: Double) -> [Summary] {
    let quantiles = Quantiles(delays)
    let slow = delays.sorted()[delays.count * 9 / 10]
    return [("observe", quantiles.median, quantiles.tail as Double?), ("observe, p90", slow, nil)]
      .map { name, value, tail in
        Summary(
          name: name,
          items: Self.sampleCount,
          valueByteCount: valueByteCount,
          unit: Workload.observe.unit,
          store: Summary.Sides(median: value, tail: tail),
          floor: nil,
          others: others,
          keptRounds: 1,
          rounds: 1
        )
      }
  }
}

/// When the first event of each item came.
private final class Arrivals: Sendable {
  private let times = Mutex<[[UInt8]: Double]>([:])
  private let end = DispatchSemaphore(value: 0)

  /// Follows the changes until there was one of each of `count` items; returns once no further one is missed.
  init(of changes: VaultEvents, count: Int) {
    let start = DispatchSemaphore(value: 0)
    Task.detached { [self] in
      var events = changes.makeAsyncIterator()
      start.signal()
      while let event = await events.next(), note(event, at: Clock.microseconds) < count {}
      end.signal()
    }
    start.wait()
  }

  /// By the bytes of the item's service.
  func wait(until deadline: DispatchTime) -> [[UInt8]: Double] {
    _ = end.wait(timeout: deadline)
    return times.withLock { $0 }
  }

  private func note(_ event: VaultEvent, at time: Double) -> Int {
    times.withLock { times in
      if let service = event.item?.identity?.service.bytes, times[service] == nil {
        times[service] = time
      }
      return times.count
    }
  }
}
