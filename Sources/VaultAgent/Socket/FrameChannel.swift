import Glibc
import SecretMemory

/// Why no frame came or went.
package enum ChannelError: Error, Hashable, Sendable {
  /// The other side closed the connection, in the middle of a frame where it was reading.
  case closed
  /// The deadline passed.
  case timedOut
  /// A length is too small, or larger than its kind allows.
  case invalidLength
  /// There is no locked memory for the body.
  case memoryExhausted
}

/// A connection over which frames come and go; one thread uses it at a time.
///
/// A deadline bounds the whole frame, so that a peer that sends or takes it drop by drop gains no time.
package struct FrameChannel: Sendable {
  /// How long a whole frame may take, from its first byte on.
  package static let framePatience = Duration.seconds(5)

  /// How long a message of a few bytes may take where others wait for it.
  package static let shortPatience = Duration.milliseconds(20)

  /// Up to which size pieces are put together.
  private static let joinedByteCount = 4096

  /// The connected socket.
  package let socket: Descriptor

  /// Takes a connected socket.
  package init(_ socket: Descriptor) {
    self.socket = socket
  }

  /// Sends a whole message.
  package func send(
    _ message: OutgoingMessage,
    until deadline: ContinuousClock.Instant = .now + framePatience,
    while mayGoOn: () -> Bool = { true }
  ) throws(ChannelError) {
    for piece in Self.joined(message.allPieces) {
      try piece.withBytes { bytes throws(ChannelError) in
        try send(bytes, until: deadline, while: mayGoOn)
      }
    }
  }

  /// Puts short pieces together, so that the other side wakes up once for all of them; they go one by one where there
  /// is no locked memory for that.
  private static func joined(_ pieces: [OutgoingMessage.Piece]) -> [OutgoingMessage.Piece] {
    let count = pieces.reduce(0) { $0 + $1.count }
    guard pieces.count > 1, count <= joinedByteCount else { return pieces }
    let joined = try? SecretBytes(count: count) { target in
      var position = 0
      for piece in pieces {
        piece.withBytes { bytes in
          for index in bytes.indices { target[position + index] = bytes[index] }
        }
        position += piece.count
      }
    }
    return joined.map { [.secret($0)] } ?? pieces
  }

  /// Waits for a message and reads it whole; `nil` where the other side closed the connection before it.
  ///
  /// The first byte must come until `deadline`, the rest within ``framePatience`` from then on, or until `end` where
  /// that is given. `limit` says how long the body of a kind may be.
  package func receive(
    until deadline: ContinuousClock.Instant?,
    wholeBy end: ContinuousClock.Instant? = nil,
    limit: (UInt8) -> Int
  ) throws(ChannelError) -> IncomingFrame? {
    guard socket.wait(for: POLLIN, until: deadline) else { throw .timedOut }
    let deadline = end ?? .now + Self.framePatience
    var bytes = InlineArray<6, UInt8>(repeating: 0)
    var headerBytes = bytes.mutableSpan
    guard try fill(&headerBytes, until: deadline) else { return nil }
    guard let header = FrameHeader(parsing: bytes), header.bodyByteCount <= limit(header.kind)
    else { throw .invalidLength }
    var body = try Self.buffer(header.bodyByteCount)
    let isWhole = try body.withMutableBytes { bytes throws(ChannelError) in
      try fill(&bytes, until: deadline)
    }
    guard isWhole else { throw .closed }
    return IncomingFrame(header: header, body: body)
  }

  private static func buffer(_ count: Int) throws(ChannelError) -> LockedBuffer {
    do { return try LockedBuffer(count: count) } catch { throw .memoryExhausted }
  }

  /// Sends a message of a few bytes, unless the peer leaves no room even for that: others wait for the sender.
  package func sendAtOnce(_ message: OutgoingMessage) throws(ChannelError) {
    guard socket.wait(for: POLLOUT, until: .now) else { throw .timedOut }
    try send(message, until: .now + Self.shortPatience)
  }

  private func send(
    _ bytes: Span<UInt8>,
    until deadline: ContinuousClock.Instant,
    while mayGoOn: () -> Bool
  ) throws(ChannelError) {
    var sent = 0
    while sent < bytes.count {
      guard mayGoOn() else { throw .closed }
      let count = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[sent...])
        return unsafe Glibc.send(socket.number, rest.baseAddress, rest.count, Self.flags)
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        guard socket.wait(for: POLLOUT, until: deadline) else { throw .timedOut }
      } else if errno != EINTR {
        throw .closed
      }
      // What went out whole was sent, however late it is: to say otherwise would have it sent twice.
      guard sent == bytes.count || ContinuousClock.now < deadline else { throw .timedOut }
    }
  }

  /// Reads until `bytes` is full; false where the connection ended before the first of them.
  private func fill(
    _ bytes: inout MutableSpan<UInt8>,
    until deadline: ContinuousClock.Instant
  ) throws(ChannelError) -> Bool {
    var filled = 0
    while filled < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return unsafe recv(socket.number, rest.baseAddress, rest.count, Self.flags)
      }
      if count > 0 {
        filled += count
      } else if count == 0 {
        if filled == 0 { return false }
        throw .closed
      } else if errno == EAGAIN {
        guard socket.wait(for: POLLIN, until: deadline) else { throw .timedOut }
      } else if errno != EINTR {
        if filled == 0 { return false }
        throw .closed
      }
      guard filled == bytes.count || ContinuousClock.now < deadline else { throw .timedOut }
    }
    return true
  }

  /// Never blocks, and a peer that is gone is an error and no signal.
  private static var flags: Int32 { Int32(MSG_DONTWAIT | MSG_NOSIGNAL) }
}
