import Glibc
import SecretVault
import Synchronization

/// The connections that follow the lock state of a vault.
///
/// Each gets the state at once and at each change and acknowledges it when it has acted, so that a lock returns when
/// the observing programs have wiped their keys too.
final class Observers: Sendable {
  private static let countLimit = 256
  /// How long a lock waits for all acknowledgements together.
  private static let patience = Duration.seconds(1)

  private struct Observer {
    let path: VaultPath
    let channel: FrameChannel
  }

  private struct Contents {
    var observers: [Observer] = []
    var number: UInt32 = 0
  }

  private let contents = Mutex(Contents())

  /// Registers a connection and sends it the present state.
  ///
  /// - Throws: `VaultError` with the code `limitExceeded` where there are too many.
  func add(
    _ channel: FrameChannel,
    of path: VaultPath,
    state: () -> LockState
  ) throws(VaultError) {
    try contents.withLock { contents throws(VaultError) in
      contents.observers.removeAll { Self.isClosed($0.channel) }
      guard contents.observers.count < Self.countLimit else {
        throw VaultError(.limitExceeded, "too many programs follow the agent; end some")
      }
      let reply = Reply.state(state(), contents.number)
      if (try? channel.sendAtOnce(reply.message)) != nil {
        contents.observers.append(Observer(path: path, channel: channel))
      }
    }
  }

  /// Tells the observers of some vaults the state and waits until they have acknowledged it.
  ///
  /// Who does not within a second is dropped, which its program takes for a lock. The states are read here, so that
  /// the last one told is the last one there was.
  func announce(_ paths: [VaultPath], state: (VaultPath) -> LockState) {
    guard !paths.isEmpty else { return }
    contents.withLock { contents in
      contents.number &+= 1
      let number = contents.number
      let deadline = ContinuousClock.now + Self.patience
      let concerned = contents.observers.filter { paths.contains($0.path) }
      let told = concerned.filter { observer in
        let message = Reply.state(state(observer.path), number).message
        return (try? observer.channel.sendAtOnce(message)) != nil
      }
      let kept = Self.acknowledged(told.map(\.channel), number, until: deadline)
      contents.observers.removeAll { observer in
        paths.contains(observer.path) && !kept.contains(observer.channel.socket.number)
      }
    }
  }

  /// The numbers of the sockets over which the acknowledgement came.
  private static func acknowledged(
    _ channels: [FrameChannel],
    _ number: UInt32,
    until deadline: ContinuousClock.Instant
  ) -> Set<Int32> {
    var pending = channels
    var kept: Set<Int32> = []
    while !pending.isEmpty {
      var entries = pending.map {
        pollfd(fd: $0.socket.number, events: Int16(POLLIN), revents: 0)
      }
      let count = nfds_t(entries.count)
      let ready = unsafe poll(&entries, count, Descriptor.milliseconds(until: deadline))
      if ready == 0 || (ready < 0 && errno != EINTR) { break }
      let readable = zip(pending, entries).filter { $0.1.revents != 0 }.map(\.0)
      for channel in readable {
        let answer = acknowledgement(from: channel, until: deadline)
        // A lower number answers a state that was told before. Whoever sends nothing else could do so without an end.
        if let answer, answer != number, ContinuousClock.now < deadline { continue }
        pending.removeAll { $0.socket === channel.socket }
        if answer == number { kept.insert(channel.socket.number) }
      }
    }
    return kept
  }

  private static func acknowledgement(
    from channel: FrameChannel,
    until deadline: ContinuousClock.Instant
  ) -> UInt32? {
    // It is ten bytes; who drips them is dropped, for the others are read after it.
    let deadline = min(deadline, .now + FrameChannel.shortPatience)
    let frame = try? channel.receive(until: deadline, wholeBy: deadline) { _ in 4 }
    guard let frame, frame.header.kind == Operation.acknowledge.rawValue else { return nil }
    guard case .acknowledge(let number)? = try? Request(.acknowledge, reading: frame.reader())
    else { return nil }
    return number
  }

  private static func isClosed(_ channel: FrameChannel) -> Bool {
    // A hang-up is reported without being asked for.
    var entry = pollfd(fd: channel.socket.number, events: 0, revents: 0)
    return unsafe poll(&entry, 1, 0) > 0
  }
}
