import SecretMemory
import Synchronization

/// The events that one reader has not taken yet, at most ``capacity``.
final class EventBuffer: Sendable {
  fileprivate struct Contents {
    var events: [BufferedEvent] = []
    /// How many of `events` were taken.
    var takenCount = 0
    var isFinished = false
    var reader: CheckedContinuation<VaultEvent?, Never>?
  }

  /// How far a reader may fall behind before the rest is told in one word.
  static let capacity = 1024

  private let contents = Mutex(Contents())
  private let process = ForkCount.current

  /// Adds events; the reader is not woken yet, since callers hold locks.
  func append(_ events: [BufferedEvent]) {
    contents.withLock { contents in
      guard !contents.isFinished else { return }
      contents.events += events
      if contents.events.count - contents.takenCount > Self.capacity { contents.coalesce() }
    }
  }

  /// Gives the reader what it waits for, if there is anything; to be called without locks.
  func wakeReader() {
    let (reader, event) = contents.withLock { contents in
      guard contents.reader != nil, let event = contents.take() else {
        return (contents.isFinished ? contents.reader.take() : nil, nil as VaultEvent?)
      }
      return (contents.reader.take(), event)
    }
    reader?.resume(returning: event)
  }

  /// Drops the names that a lock closes, or all.
  func forgetNames(ofEveryClass: Bool) {
    contents.withLock { contents in
      contents.events.removeFirst(contents.takenCount)
      contents.takenCount = 0
      for index in contents.events.indices {
        contents.events[index].forgetNames(ofEveryClass: ofEveryClass)
      }
    }
  }

  /// Ends the events after those that are there.
  func finish() {
    contents.withLock { $0.isFinished = true }
  }

  /// Takes the next event, waiting for one; `nil` at the end, in a cancelled task, and in a child made by `fork`.
  func next() async -> VaultEvent? {
    guard ForkCount.current == process else { return nil }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        wait(reader)
      }
    } onCancel: {
      finish()
      wakeReader()
    }
  }

  private func wait(_ reader: CheckedContinuation<VaultEvent?, Never>) {
    let answer: VaultEvent?? = contents.withLock { contents in
      if Task.isCancelled { return .some(nil) }
      if let event = contents.take() { return .some(event) }
      // One reader at a time: a second one gets no event that the first waits for.
      if contents.isFinished || contents.reader != nil { return .some(nil) }
      contents.reader = reader
      return .none
    }
    if let answer { reader.resume(returning: answer) }
  }
}

extension EventBuffer.Contents {
  fileprivate mutating func take() -> VaultEvent? {
    guard takenCount < events.count else { return nil }
    let event = events[takenCount].event
    takenCount += 1
    if takenCount == events.count {
      events.removeAll(keepingCapacity: true)
      takenCount = 0
    } else if takenCount == EventBuffer.capacity {
      events.removeFirst(takenCount)
      takenCount = 0
    }
    return event
  }

  /// Puts one word for all that waits, and the last change of the lock state, which no listing shows.
  fileprivate mutating func coalesce() {
    let lastState = events[takenCount...].last { event in
      switch event {
      case .vault(.locked), .vault(.unlocked), .vault(.keysRotated): true
      default: false
      }
    }
    events = [.vault(.anythingMayHaveChanged)] + (lastState.map { [$0] } ?? [])
    takenCount = 0
  }
}
