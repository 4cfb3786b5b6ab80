package import SecretMemory
package import SecretVault

/// An answer of the agent.
package enum Reply: Sendable {
  /// It is done.
  case done
  /// It failed.
  case failure(VaultError)
  /// It is done; whether there was something to do.
  case flag(Bool)
  /// A secret, or `nil` where there is none.
  case secret(SecretBytes?)
  /// An item, or `nil` where there is none.
  case item(SecretItem?)
  /// An item and its secret, where it has one.
  case contents(SecretItem, SecretBytes?)
  /// A part of a listing; the counts come with the last one.
  case listing(ItemListing, isLast: Bool)
  /// How the vaults are locked.
  case status([VaultStatus])
  /// Whether it is the client's turn to ask a person.
  case prompt(PromptTurn)
  /// A lock state, and the number to acknowledge it by.
  case state(LockState, UInt32)
  /// Which earlier secrets of an item there are, newest first.
  case history([ItemVersion])

  /// The kind of the reply.
  package var kind: ReplyKind {
    switch self {
    case .done: .done
    case .failure: .failure
    case .flag: .flag
    case .secret: .secret
    case .item: .item
    case .contents: .contents
    case .listing: .listing
    case .status: .status
    case .prompt: .prompt
    case .state: .state
    case .history: .history
    }
  }
}

/// The answer to a client that wants to ask a person for the passphrase.
package enum PromptTurn: UInt8, Sendable {
  /// It is its turn, until its connection ends.
  case ask = 1
  /// Another has unlocked the vault meanwhile.
  case unlocked = 2
}

extension Reply: CustomStringConvertible, CustomReflectable {
  /// The kind, and nothing of what it holds.
  package var description: String { "Reply(\(kind))" }

  /// No children, so that a dump shows nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Reply {
  /// The reply as it is sent.
  package var message: OutgoingMessage {
    var message = OutgoingMessage(kind: kind.rawValue)
    switch self {
    case .done: break
    case .failure(let error):
      message.append(error.code.name)
      message.append(error.message)
    case .flag(let flag): message.append(flag)
    case .secret(let secret): message.append(secret) { $0.appendToEnd($1) }
    case .item(let item): message.append(item) { $0.append($1) }
    case .contents(let item, let secret):
      message.append(item)
      message.append(secret) { $0.appendToEnd($1) }
    case .listing(let listing, let isLast):
      message.append(listing)
      message.append(isLast)
    case .status(let vaults):
      message.append(UInt32(clamping: vaults.count))
      for vault in vaults { message.append(vault) }
    case .prompt(let turn): message.append(turn.rawValue)
    case .state(let state, let number):
      message.append(state.byte)
      message.append(number)
    case .history(let versions): message.append(versions)
    }
    return message
  }

  /// Reads a reply of a kind.
  ///
  /// - Throws: ``MalformedMessage`` where the body is anything else than what the kind promises.
  package init(
    _ kind: ReplyKind,
    reading reader: consuming MessageReader
  ) throws(MalformedMessage) {
    switch kind {
    case .secret:
      self = .secret(try reader.optionalSecretToEnd())
    case .contents:
      self = .contents(try reader.item(), try reader.optionalSecretToEnd())
    default:
      self = try Self.short(kind, &reader)
      try reader.finish()
    }
  }

  private static func short(
    _ kind: ReplyKind,
    _ reader: inout MessageReader
  ) throws(MalformedMessage) -> Reply {
    switch kind {
    case .done: return .done
    case .failure:
      let name = try reader.text()
      let message = try reader.text()
      // It is shown as it is, on a terminal too.
      guard message.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
      else { throw MalformedMessage() }
      return .failure(VaultError(VaultError.Code(name, message), message))
    case .flag: return .flag(try reader.flag())
    case .item:
      return .item(
        try reader.optional { reader throws(MalformedMessage) in try reader.item() }
      )
    case .listing: return .listing(try reader.listing(), isLast: try reader.flag())
    case .status: return .status(try reader.vaultStatuses())
    case .prompt:
      guard let turn = PromptTurn(rawValue: try reader.integer()) else { throw MalformedMessage() }
      return .prompt(turn)
    case .state: return .state(try reader.lockState(), try reader.integer())
    case .history: return .history(try reader.itemVersions())
    case .secret, .contents: throw MalformedMessage()
    }
  }
}
