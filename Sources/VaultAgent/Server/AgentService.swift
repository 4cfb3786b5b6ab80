import SecretVault

/// What the agent does for its clients.
final class AgentService: Sendable {
  /// What becomes of a connection after a request.
  enum Continuation {
    /// It may ask for more.
    case stays
    /// It is watched by others from now on.
    case leaves
    /// It is closed.
    case ends
  }

  let vaults: HeldVaults
  let parked: ParkedConversations
  private let observers: Observers
  private let turns = PromptTurns()

  init(vaults: HeldVaults, observers: Observers, parked: ParkedConversations) {
    self.vaults = vaults
    self.observers = observers
    self.parked = parked
  }

  /// Answers a request.
  ///
  /// - Throws: ``ChannelError`` where the answer cannot be sent.
  func answer(
    _ request: Request,
    of conversation: Conversation
  ) throws(ChannelError) -> Continuation {
    let channel = conversation.channel
    switch request {
    case .prompt(let path):
      return try prompt(path, conversation)
    case .observe(let path):
      // Nobody who could pass the turn on sees a follower end.
      turns.leave(conversation)
      return try observe(path, channel)
    case .items(let path, let query):
      try list(path, query, channel)
    case .acknowledge:
      throw .closed
    case .secret(let path, _, _), .contents(let path, _), .earlierSecret(let path, _, _):
      // A lock that comes while the client takes its time ends the answer.
      let state = vaults.state(of: path)
      try channel.send(reply(to: request).message, while: { vaults.state(of: path) == state })
    default:
      try channel.send(reply(to: request).message)
    }
    return .stays
  }

  private func reply(to request: Request) -> Reply {
    do throws(VaultError) {
      switch request {
      case .status(let path):
        vaults.dropOutdated(path)
        return .status(vaults.statuses(of: path))
      case .unlock(let request):
        try unlock(request)
        return .done
      case .lock(let path):
        vaults.lock(path)
        return .done
      default: return try ItemService(vaults: vaults).reply(to: request)
      }
    } catch {
      return .failure(error)
    }
  }

  private func unlock(_ request: UnlockRequest) throws(VaultError) {
    try vaults.unlock(request)
    // The loop counts with another end now.
    parked.wakeLoop()
    parked.release(turns.end(request.path))
  }

  /// Sends a listing in parts; where the vault is locked meanwhile, nothing of it is sent any more.
  private func list(
    _ path: VaultPath,
    _ query: ItemQuery,
    _ channel: FrameChannel
  ) throws(ChannelError) {
    do {
      let (listing, state) = try vaults.withStore(of: path) { store throws(VaultError) in
        let state = store.lockState
        return (try store.items(matching: query), state)
      }
      try listing.forEachPart { part, isLast in
        guard vaults.state(of: path) == state else { throw VaultError(.locked) }
        try channel.send(
          Reply.listing(part, isLast: isLast).message,
          while: { vaults.state(of: path) == state }
        )
      }
    } catch let error as VaultError {
      try channel.send(Reply.failure(error).message)
    } catch {
      throw .closed
    }
  }

  private func observe(
    _ path: VaultPath,
    _ channel: FrameChannel
  ) throws(ChannelError) -> Continuation {
    do throws(VaultError) {
      try observers.add(channel, of: path) { vaults.state(of: path) }
      return .leaves
    } catch {
      try channel.send(Reply.failure(error).message)
      return .stays
    }
  }
}

// The turn to ask a person for a passphrase.
extension AgentService {
  private func prompt(
    _ path: VaultPath,
    _ conversation: Conversation
  ) throws(ChannelError) -> Continuation {
    turns.leave(conversation)
    vaults.dropOutdated(path)
    if vaults.state(of: path) == .unlocked {
      try conversation.channel.send(Reply.prompt(.unlocked).message)
      return .stays
    }
    guard turns.enter(conversation, for: path) else { return park(conversation) ? .leaves : .ends }
    try conversation.channel.send(Reply.prompt(.ask).message)
    return .stays
  }

  /// Parks a connection that has or waits for a turn and is silent; false for others, and where too many are parked.
  func park(_ conversation: Conversation) -> Bool {
    guard turns.concerns(conversation), !conversation.hasInput, parked.park(conversation)
    else { return false }
    // Its wait may have ended just before.
    if !turns.concerns(conversation) { parked.release([conversation]) }
    return true
  }

  /// Whether the connection waits for its turn, and has nothing to say until then.
  func isWaiting(_ conversation: Conversation) -> Bool { turns.isWaiting(conversation) }

  /// Whether the connection has the turn to ask, or waits for it.
  func hasTurn(_ conversation: Conversation) -> Bool { turns.concerns(conversation) }

  /// Gives the turn of a connection that ends to the next one.
  func end(_ conversation: Conversation) {
    turns.leave(conversation)
  }
}
