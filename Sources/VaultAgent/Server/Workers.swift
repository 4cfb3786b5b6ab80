import Glibc
import SecretVault
import Synchronization

/// The threads that serve clients: each takes a connection and serves it until it ends.
///
/// There are sixteen; while all are busy, further clients wait in the backlog of the socket.
final class Workers: Sendable {
  private static let count = 16
  private static let stackByteCount = 512 * 1024
  /// How long a connection may be idle.
  private static let idlePatience = Duration.seconds(5)

  private let service: AgentService
  private let listener: Descriptor
  /// How many are serving a connection.
  private let busyCount = Atomic<Int>(0)
  /// Held by the one worker that waits for the next connection, so that one connection wakes one worker.
  private let waiting = Mutex(())

  private init(serving service: AgentService, listener: Descriptor) {
    self.service = service
    self.listener = listener
  }

  /// Starts the threads.
  ///
  /// - Throws: `VaultError` with the code `inputOutput` where the system has no room for them.
  static func start(serving service: AgentService, listener: Descriptor) throws(VaultError) {
    let workers = Workers(serving: service, listener: listener)
    for _ in 0..<count {
      try Thread.start(stackByteCount: stackByteCount) { workers.work() }
    }
  }

  private func work() {
    while true {
      if let conversation = nextConversation() { serve(conversation) }
    }
  }

  /// Waits for a client, or for a parked connection that has something to say.
  private func nextConversation() -> Conversation? {
    waiting.withLock { _ in
      var entries = [listener, service.parked.departure].map {
        pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
      }
      guard unsafe poll(&entries, nfds_t(entries.count), -1) > 0 else { return nil }
      if entries[1].revents != 0 { return service.parked.takeReturning() }
      guard let socket = LocalSocket.accept(from: listener) else {
        // The client may have gone, or the system be short of descriptors for a while.
        _ = poll(nil, 0, 10)
        return nil
      }
      // Nothing of another user is read.
      return LocalSocket.isPeerSameUser(socket) ? Conversation(socket) : nil
    }
  }

  private func serve(_ conversation: Conversation) {
    busyCount.add(1, ordering: .relaxed)
    defer { busyCount.subtract(1, ordering: .relaxed) }
    do throws(ChannelError) {
      while true {
        if service.park(conversation) { return }
        let continuation = try serveRequest(of: conversation)
        if continuation == .leaves { return }
        if continuation == .ends || mustMakeRoom(conversation) { break }
      }
    } catch {
      // The client is gone, or speaks another language: the connection ends, and nothing is lost but it.
    }
    service.end(conversation)
  }

  /// Whether others wait and no worker is free: then each connection gets one request, and its client connects anew for
  /// the next one, behind the others.
  private func mustMakeRoom(_ conversation: Conversation) -> Bool {
    busyCount.load(ordering: .relaxed) == Self.count && listener.wait(for: POLLIN, until: .now)
      && !conversation.hasInput && !service.hasTurn(conversation)
  }

  private func serveRequest(
    of conversation: Conversation
  ) throws(ChannelError) -> AgentService.Continuation {
    let channel = conversation.channel
    let frame: IncomingFrame?
    do throws(ChannelError) {
      frame = try channel.receive(
        until: .now + Self.idlePatience,
        limit: Operation.bodyLimit(ofKind:)
      )
    } catch .memoryExhausted {
      // Most of the request is still to come, and is not waited for.
      try channel.send(Reply.failure(VaultError(.lockedMemoryExhausted)).message)
      return .ends
    }
    guard let frame, !service.isWaiting(conversation) else { return .ends }
    let request: Request
    do throws(VaultError) {
      request = try Self.request(in: frame)
    } catch {
      try channel.send(Reply.failure(error).message)
      return .ends
    }
    return try service.answer(request, of: conversation)
  }

  private static func request(in frame: consuming IncomingFrame) throws(VaultError) -> Request {
    let incomprehensible = VaultError(
      .invalidArgument,
      "the agent does not understand that; use one version"
    )
    guard frame.header.version == FrameHeader.version,
      let operation = Operation(rawValue: frame.header.kind)
    else { throw incomprehensible }
    do throws(MalformedMessage) {
      return try Request(operation, reading: frame.reader())
    } catch {
      throw error.lacksMemory ? VaultError(.lockedMemoryExhausted) : incomprehensible
    }
  }
}

/// Threads with a stack of a chosen size.
private enum Thread {
  /// What a thread is to do, on its way there.
  private final class Start {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  static func start(
    stackByteCount: Int,
    _ body: @escaping @Sendable () -> Void
  ) throws(VaultError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackByteCount)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let start = unsafe Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let result = unsafe pthread_create(&thread, &attributes, run, start.toOpaque())
    guard result == 0 else {
      unsafe start.release()
      throw VaultError(.inputOutput, "the system has no room for another thread")
    }
  }

  private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    if let start = unsafe $0 {
      unsafe Unmanaged<Start>.fromOpaque(start).takeRetainedValue().body()
    }
    return nil
  }
}
