import Glibc

/// The connection of one client, as the agent sees it.
final class Conversation: Sendable {
  let channel: FrameChannel

  /// The client's process, where the kernel can tell when it ends (`SO_PEERPIDFD`); never a reason to trust it.
  let process: Descriptor?

  init(_ socket: Descriptor) {
    channel = FrameChannel(socket)
    process = LocalSocket.peerProcess(socket)
  }

  /// Whether something can be read, if only that the client has gone.
  var hasInput: Bool { channel.socket.wait(for: POLLIN, until: .now) }
}

extension Conversation: Hashable {
  static func == (left: Conversation, right: Conversation) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
