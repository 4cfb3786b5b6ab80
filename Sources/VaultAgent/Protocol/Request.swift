package import SecretMemory
package import SecretVault

/// A request of a client.
package enum Request: Sendable {
  /// Asks how one vault, or all, are locked.
  case status(VaultPath?)
  /// Unlocks a vault.
  case unlock(UnlockRequest)
  /// Locks one vault, or all.
  case lock(VaultPath?)
  /// Asks for the turn to ask a person for the passphrase of a vault.
  case prompt(VaultPath)
  /// Follows the lock state of a vault from now on.
  case observe(VaultPath)
  /// Acknowledges the state of that number.
  case acknowledge(UInt32)
  /// Reads a secret, where that is allowed also one that has expired.
  case secret(VaultPath, ItemIdentity, allowingExpired: Bool = false)
  /// Reads an item.
  case item(VaultPath, ItemIdentity)
  /// Reads an item and its secret in order to change them.
  case contents(VaultPath, ItemIdentity)
  /// Lists items.
  case items(VaultPath, ItemQuery)
  /// Stores a new item.
  case add(VaultPath, SecretItem, SecretBytes?)
  /// Stores a secret, with a condition on the item's version where there is one.
  case set(VaultPath, ItemIdentity, ItemChanges, version: UInt64?, SecretBytes)
  /// Stores an item in place of the one of an identity, which must have the item's id and version.
  case replace(VaultPath, ItemIdentity, SecretItem, SecretBytes?)
  /// Removes an item, with a condition on its version where there is one.
  case remove(VaultPath, ItemIdentity, version: UInt64?)
  /// Empties the write-ahead log.
  case emptyLog(VaultPath)
  /// Tells which earlier secrets of an item there are.
  case history(VaultPath, ItemIdentity)
  /// Reads the secret that an item had at a version.
  case earlierSecret(VaultPath, ItemIdentity, version: UInt64)
  /// Gives an item the secret that it had at a version.
  case restoreVersion(VaultPath, ItemIdentity, version: UInt64)

  /// The kind of the request.
  package var operation: Operation {
    switch self {
    case .status: .status
    case .unlock: .unlock
    case .lock: .lock
    case .prompt: .prompt
    case .observe: .observe
    case .acknowledge: .acknowledge
    case .secret: .secret
    case .item: .item
    case .contents: .contents
    case .items: .items
    case .add: .add
    case .set: .set
    case .replace: .replace
    case .remove: .remove
    case .emptyLog: .emptyLog
    case .history: .history
    case .earlierSecret: .earlierSecret
    case .restoreVersion: .restoreVersion
    }
  }
}

extension Request: CustomStringConvertible, CustomReflectable {
  /// The operation, and nothing of what it is about.
  package var description: String { "Request(\(operation))" }

  /// No children, so that a dump shows nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
