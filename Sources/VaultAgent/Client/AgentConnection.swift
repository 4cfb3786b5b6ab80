import Glibc
import SecretVault

/// Why a request got no answer.
enum ExchangeFailure: Error {
  /// It did not go out whole, so nothing was done.
  case notSent
  /// The connection ended before the answer; it may have been done.
  case unanswered
  /// The agent refused it, and waits for the next request.
  case refused(VaultError)
  /// The agent gave no answer that makes sense; the connection is of no use any more.
  case broken(VaultError)
}

/// A connection to the agent of this user; one thread uses it at a time.
struct AgentConnection: Sendable {
  /// How long an answer may take where no person and no scrypt is waited for.
  static let patience = Duration.seconds(60)

  private let channel: FrameChannel

  /// Connects, or returns `nil` where no agent runs.
  ///
  /// - Throws: `VaultError`: `insecureFile` where the socket or its folder may be another user's, `busy` where
  ///   too many clients wait.
  static func open() throws(VaultError) -> AgentConnection? {
    guard let folder = try RuntimeFolder.existing(),
      let socket = try LocalSocket.connect(to: folder.socketPath)
    else { return nil }
    return AgentConnection(channel: FrameChannel(socket))
  }

  /// What can be waited on for the next frame.
  var socket: Descriptor { channel.socket }

  /// Whether the agent has closed its end while the connection was not used.
  var isEnded: Bool { channel.socket.wait(for: POLLIN, until: .now) }

  /// Sends a request and reads the whole answer; the parts of a listing are put together.
  func exchange(
    _ request: Request,
    patience: Duration? = patience
  ) throws(ExchangeFailure) -> Reply {
    try send(request)
    let reply = try receive(patience: patience)
    guard case .listing(var whole, var isLast) = reply else { return reply }
    while !isLast {
      guard case .listing(let part, let isEnd) = try receive(patience: patience) else {
        throw .broken(Self.incomprehensible)
      }
      whole.append(part)
      isLast = isEnd
    }
    return .listing(whole, isLast: true)
  }

  /// Sends a request without waiting for its answer.
  func send(_ request: Request) throws(ExchangeFailure) {
    let message = request.message
    // What is too long for a frame is too long to be stored as well.
    guard message.bodyByteCount <= request.operation.bodyLimit else {
      throw .refused(VaultError(.limitExceeded))
    }
    do throws(ChannelError) { try channel.send(message) } catch { throw reasonOfEnd }
  }

  /// Why the agent took no more of a request: what it said before it closed the connection, if it did.
  private var reasonOfEnd: ExchangeFailure {
    do throws(ExchangeFailure) {
      _ = try receive(patience: .zero)
    } catch .refused(let error) {
      return .broken(error)
    } catch {
      return .notSent
    }
    return .notSent
  }

  /// Waits for one reply; an error that the agent reports is thrown.
  func receive(patience: Duration?) throws(ExchangeFailure) -> Reply {
    let deadline = patience.map { ContinuousClock.now + $0 }
    let received: IncomingFrame?
    do throws(ChannelError) {
      received = try channel.receive(until: deadline, limit: ReplyKind.bodyLimit(ofKind:))
    } catch {
      throw Self.failure(error)
    }
    guard let frame = received else { throw .unanswered }
    let header = frame.header
    guard header.version == FrameHeader.version else {
      throw .broken(
        VaultError(.unsupportedVersion, "the agent has another version; end it and unlock again")
      )
    }
    guard let kind = ReplyKind(rawValue: header.kind),
      let reply = try? Reply(kind, reading: frame.reader())
    else { throw .broken(Self.incomprehensible) }
    if case .failure(let error) = reply { throw .refused(error) }
    return reply
  }

  private static func failure(_ error: ChannelError) -> ExchangeFailure {
    switch error {
    case .closed: .unanswered
    case .timedOut:
      .broken(VaultError(.busy, "the agent does not answer; see secretvault status, or end it"))
    case .invalidLength: .broken(incomprehensible)
    case .memoryExhausted: .broken(VaultError(.lockedMemoryExhausted))
    }
  }

  /// The agent answered something else than what was asked.
  static let incomprehensible = VaultError(
    .inputOutput,
    "the agent's answer makes no sense; end the agent and unlock again"
  )
}

extension VaultError {
  /// There is nobody to ask.
  static let agentGone = VaultError(.locked, "no agent runs; start one with secretvault unlock")

  /// A write whose outcome nobody knows.
  static let agentLost = VaultError(
    .inputOutput,
    "the agent ended before it answered; look whether the change was made, and unlock again"
  )
}
