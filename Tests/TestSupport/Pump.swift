import Glibc

/// The test's ends of the pipes of a child: written and read at the same time, so that neither side waits
/// for the other for ever.
struct Pump {
  private struct Feed {
    let descriptor: Int32
    var rest: ArraySlice<UInt8>
  }

  private var feeds: [Feed] = []
  private var drains: [(descriptor: Int32, number: Int32)] = []
  private var held: [Int32] = []
  /// What came from the outputs, by their numbers in the child.
  private(set) var collected: [Int32: [UInt8]] = [:]

  /// Whether an output is still open.
  var isBusy: Bool { !drains.isEmpty }

  mutating func feed(_ descriptor: Int32, _ bytes: [UInt8]) {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    feeds.append(Feed(descriptor: descriptor, rest: bytes[...]))
  }

  mutating func drain(_ descriptor: Int32, as number: Int32) {
    drains.append((descriptor, number))
  }

  mutating func hold(_ descriptor: Int32) { held.append(descriptor) }

  /// Writes what fits into the pipes, before anybody waits for output.
  mutating func start() {
    signal(SIGPIPE, SIG_IGN)
    for index in feeds.indices.reversed() { write(index) }
  }

  /// Waits for a pipe to be ready and serves it; false at the deadline.
  mutating func turn(until deadline: ContinuousClock.Instant) throws(SystemFailure) -> Bool {
    let remaining = (deadline - ContinuousClock.now).milliseconds
    if remaining <= 0 { return false }
    var entries = feeds.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
    entries += drains.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    let ready = unsafe poll(&entries, nfds_t(entries.count), Int32(remaining))
    if ready < 0 && errno != EINTR { throw SystemFailure("poll") }
    if ready <= 0 { return ready < 0 }
    let feedCount = feeds.count
    for index in drains.indices.reversed() where entries[feedCount + index].revents != 0 {
      read(index)
    }
    for index in feeds.indices.reversed() where entries[index].revents != 0 { write(index) }
    return true
  }

  /// Closes what is left.
  mutating func close() {
    for descriptor in feeds.map(\.descriptor) + drains.map(\.descriptor) + held {
      Glibc.close(descriptor)
    }
    feeds = []
    drains = []
    held = []
  }

  private mutating func write(_ index: Int) {
    let count = unsafe feeds[index].rest.withUnsafeBytes { bytes in
      unsafe Glibc.write(feeds[index].descriptor, bytes.baseAddress, bytes.count)
    }
    if count > 0 { feeds[index].rest = feeds[index].rest.dropFirst(count) }
    let isRefused = count < 0 && errno != EAGAIN && errno != EINTR
    if isRefused || feeds[index].rest.isEmpty {
      Glibc.close(feeds[index].descriptor)
      feeds.remove(at: index)
    }
  }

  private mutating func read(_ index: Int) {
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    let count = unsafe Glibc.read(drains[index].descriptor, &chunk, chunk.count)
    if count > 0 {
      collected[drains[index].number, default: []] += chunk.prefix(count)
    } else if count == 0 || errno != EINTR {
      Glibc.close(drains[index].descriptor)
      drains.remove(at: index)
    }
  }
}
