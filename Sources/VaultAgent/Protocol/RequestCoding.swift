import SecretMemory
import SecretVault

extension Request {
  /// The request as it is sent.
  package var message: OutgoingMessage {
    var message = OutgoingMessage(kind: operation.rawValue)
    switch self {
    case .status(let path), .lock(let path): message.append(path) { $0.append($1) }
    case .unlock(let request): message.append(request)
    case .prompt(let path), .observe(let path), .emptyLog(let path): message.append(path)
    case .acknowledge(let number): message.append(number)
    case .secret(let path, let identity, let allowingExpired):
      message.append(path)
      message.append(identity)
      message.append(allowingExpired)
    case .item(let path, let identity), .contents(let path, let identity),
      .history(let path, let identity):
      message.append(path)
      message.append(identity)
    case .earlierSecret(let path, let identity, let version),
      .restoreVersion(let path, let identity, let version):
      message.append(path)
      message.append(identity)
      message.append(version)
    case .remove(let path, let identity, let version):
      message.append(path)
      message.append(identity)
      message.append(version) { $0.append($1) }
    case .items(let path, let query):
      message.append(path)
      message.append(query)
    case .add(let path, let item, let secret):
      message.append(path)
      message.append(item)
      message.append(secret) { $0.appendToEnd($1) }
    case .set(let path, let identity, let changes, let version, let secret):
      message.append(path)
      message.append(identity)
      message.append(changes)
      message.append(version) { $0.append($1) }
      message.appendToEnd(secret)
    case .replace(let path, let identity, let item, let secret):
      message.append(path)
      message.append(identity)
      message.append(item)
      message.append(secret) { $0.appendToEnd($1) }
    }
    return message
  }

  /// Reads a request of a kind.
  ///
  /// - Throws: ``MalformedMessage`` where the body is anything else than what the operation takes.
  package init(
    _ operation: Operation,
    reading reader: consuming MessageReader
  ) throws(MalformedMessage) {
    switch operation {
    case .add:
      self = .add(try reader.vaultPath(), try reader.item(), try reader.optionalSecretToEnd())
    case .set:
      let path = try reader.vaultPath()
      let identity = try reader.identity()
      let changes = try reader.changes()
      let version = try reader.optionalVersion()
      self = .set(path, identity, changes, version: version, reader.secretToEnd())
    case .replace:
      let path = try reader.vaultPath()
      let identity = try reader.identity()
      let item = try reader.item()
      self = .replace(path, identity, item, try reader.optionalSecretToEnd())
    default:
      self = try Self.short(operation, &reader)
      try reader.finish()
    }
  }

  private static func short(
    _ operation: Operation,
    _ reader: inout MessageReader
  ) throws(MalformedMessage) -> Request {
    switch operation {
    case .status: .status(try reader.optionalVaultPath())
    case .lock: .lock(try reader.optionalVaultPath())
    case .unlock: .unlock(try reader.unlockRequest())
    case .prompt: .prompt(try reader.vaultPath())
    case .observe: .observe(try reader.vaultPath())
    case .emptyLog: .emptyLog(try reader.vaultPath())
    case .acknowledge: .acknowledge(try reader.integer())
    case .secret:
      .secret(try reader.vaultPath(), try reader.identity(), allowingExpired: try reader.flag())
    case .item: .item(try reader.vaultPath(), try reader.identity())
    case .contents: .contents(try reader.vaultPath(), try reader.identity())
    case .remove:
      .remove(
        try reader.vaultPath(),
        try reader.identity(),
        version: try reader.optionalVersion()
      )
    case .items: .items(try reader.vaultPath(), try reader.query())
    case .history: .history(try reader.vaultPath(), try reader.identity())
    case .earlierSecret:
      .earlierSecret(
        try reader.vaultPath(),
        try reader.identity(),
        version: try reader.integer()
      )
    case .restoreVersion:
      .restoreVersion(
        try reader.vaultPath(),
        try reader.identity(),
        version: try reader.integer()
      )
    case .add, .set, .replace: throw MalformedMessage()
    }
  }
}

extension MessageReader {
  fileprivate mutating func optionalVaultPath() throws(MalformedMessage) -> VaultPath? {
    try optional { reader throws(MalformedMessage) in try reader.vaultPath() }
  }

  fileprivate mutating func optionalVersion() throws(MalformedMessage) -> UInt64? {
    try optional { reader throws(MalformedMessage) in try reader.integer() }
  }

  /// Ends the reading with whether there is a secret, and the secret where there is one.
  consuming func optionalSecretToEnd() throws(MalformedMessage) -> SecretBytes? {
    if try flag() { return secretToEnd() }
    try finish()
    return nil
  }
}
