/// An earlier state of an item whose secret the vault still has.
public struct ItemVersion: Hashable, Sendable {
  /// The version that the item had; see ``SecretItem/version``.
  public let version: UInt64

  /// When the item of that version was last changed.
  public let modified: Timestamp

  package init(version: UInt64, modified: Timestamp) {
    self.version = version
    self.modified = modified
  }
}
