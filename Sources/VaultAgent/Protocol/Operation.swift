/// What a client asks for: the kind of a request.
package enum Operation: UInt8, Sendable, CaseIterable {
  /// How the vaults are locked.
  case status = 1
  /// Unlocks a vault with a credential.
  case unlock = 2
  /// Locks a vault, or all.
  case lock = 3
  /// Asks for the turn to ask a person for the passphrase.
  case prompt = 4
  /// Follows the lock state of a vault.
  case observe = 5
  /// Says that a state was taken note of and acted upon.
  case acknowledge = 6
  /// Reads the secret of an item.
  case secret = 16
  /// Reads an item without its secret.
  case item = 17
  /// Reads an item and its secret in order to change them.
  case contents = 18
  /// Lists items.
  case items = 19
  /// Stores a new item.
  case add = 20
  /// Stores a secret.
  case set = 21
  /// Stores an item in place of the version that was read.
  case replace = 22
  /// Removes an item.
  case remove = 23
  /// Empties the write-ahead log.
  case emptyLog = 24
  /// Tells which earlier secrets of an item there are.
  case history = 25
  /// Reads an earlier secret of an item.
  case earlierSecret = 26
  /// Gives an item an earlier secret again.
  case restoreVersion = 27

  /// The largest body, in bytes.
  package var bodyLimit: Int {
    switch self {
    case .secret, .item, .contents, .items, .add, .set, .replace, .remove, .history,
      .earlierSecret, .restoreVersion:
      FrameLimit.large
    default: FrameLimit.ordinary
    }
  }

  /// The largest body of a kind that may be unknown, in bytes.
  package static func bodyLimit(ofKind kind: UInt8) -> Int {
    Operation(rawValue: kind)?.bodyLimit ?? FrameLimit.ordinary
  }
}

/// What the agent answers: the kind of a reply.
package enum ReplyKind: UInt8, Sendable, CaseIterable {
  /// It is done, and there is nothing to tell.
  case done = 128
  /// It failed; the code and the message of the error follow.
  case failure = 129
  /// It is done; whether there was something to do follows.
  case flag = 130
  /// A secret, or that there is none.
  case secret = 131
  /// An item, or that there is none.
  case item = 132
  /// An item and its secret.
  case contents = 133
  /// A part of a listing.
  case listing = 134
  /// How the vaults are locked.
  case status = 135
  /// Whose turn it is to ask a person.
  case prompt = 136
  /// A lock state, to be acknowledged.
  case state = 137
  /// Which earlier secrets of an item there are.
  case history = 138

  /// The largest body, in bytes.
  package var bodyLimit: Int {
    switch self {
    case .secret, .item, .contents, .listing, .status: FrameLimit.large
    default: FrameLimit.ordinary
    }
  }

  /// The largest body of a kind that may be unknown, in bytes.
  package static func bodyLimit(ofKind kind: UInt8) -> Int {
    ReplyKind(rawValue: kind)?.bodyLimit ?? FrameLimit.ordinary
  }
}
