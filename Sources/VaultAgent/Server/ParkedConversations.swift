import CLinux
import Glibc
import SecretVault
import Synchronization

/// Connections that have, or wait for, the turn to ask a person.
///
/// That can take minutes, in which they occupy no worker. One that has something to say, or has ended, goes back to
/// the workers.
final class ParkedConversations: Sendable {
  private static let countLimit = 256

  private struct Contents {
    var parked: [Conversation] = []
    var returning: [Conversation] = []
  }

  private let contents = Mutex(Contents())
  /// Readable when something was parked.
  let arrival: Descriptor
  /// Readable when something goes back.
  let departure: Descriptor

  init() throws(VaultError) {
    arrival = try Self.makeEvent()
    departure = try Self.makeEvent()
  }

  private static func makeEvent() throws(VaultError) -> Descriptor {
    let number = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard number >= 0 else { throw VaultError(.inputOutput, "the system has no descriptors left") }
    return Descriptor(number)
  }

  /// Parks a connection; false where there are too many.
  func park(_ conversation: Conversation) -> Bool {
    let isParked = contents.withLock { contents in
      guard contents.parked.count < Self.countLimit else { return false }
      contents.parked.append(conversation)
      return true
    }
    if isParked { wakeLoop() }
    return isParked
  }

  /// Lets the loop look at everything anew.
  func wakeLoop() {
    eventfd_write(arrival.number, 1)
  }

  /// What to watch.
  var all: [Conversation] { contents.withLock { $0.parked } }

  /// Hands those of the connections that are parked back to the workers.
  func release(_ conversations: [Conversation]) {
    guard !conversations.isEmpty else { return }
    contents.withLock { contents in
      contents.returning += contents.parked.filter { conversations.contains($0) }
      contents.parked.removeAll { conversations.contains($0) }
    }
    eventfd_write(departure.number, 1)
  }

  /// A connection that goes back; where it was the last one, nothing is readable any more.
  func takeReturning() -> Conversation? {
    contents.withLock { contents in
      let next = contents.returning.isEmpty ? nil : contents.returning.removeFirst()
      if contents.returning.isEmpty { Self.drain(departure) }
      return next
    }
  }

  /// Notes that what arrived was seen.
  func noteArrivals() {
    Self.drain(arrival)
  }

  private static func drain(_ event: Descriptor) {
    var count: eventfd_t = 0
    unsafe eventfd_read(event.number, &count)
  }
}
