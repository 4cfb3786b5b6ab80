import SecretMemory
import Synchronization
import VaultCrypto
import VaultDatabase
import VaultFormat

/// An access group that the credential opened.
///
/// `@unchecked Sendable` holds because `keys` and `storedName` are read while the store's lock is held for
/// reading, and changed only while it is held for writing.
final class OpenGroup: @unchecked Sendable {
  let scope: ManifestScope
  /// The row number of the group's row.
  let row: Int64
  /// Recognises the group's name while the name itself is wiped.
  let nameTag: Digest
  let anchor: Anchor?

  var keys: GroupKeys
  /// The name, or `nil` while locked or where it could not be opened.
  private var storedName: WipedBytes?

  private let current: Mutex<GroupSnapshot>

  init(
    scope: ManifestScope,
    row: Int64,
    keys: consuming GroupKeys,
    name: WipedBytes?,
    nameTag: Digest,
    anchor: Anchor?,
    snapshot: GroupSnapshot
  ) {
    self.scope = scope
    self.row = row
    self.keys = keys
    storedName = name
    self.nameTag = nameTag
    self.anchor = anchor
    current = Mutex(snapshot)
  }

  /// The name as text for a result, or `nil` while locked or where it could not be opened.
  var name: String? {
    storedName?.withBytes { bytes in try? String(copying: UTF8Span(validating: bytes)) }
  }

  /// Whether the group has a name, or `nil` while its name is wiped; makes no copy of the name.
  func hasName(_ name: [UInt8]) -> Bool? {
    storedName?.withBytes { ConstantTime.equal($0, name.span) }
  }

  /// Wipes the name.
  func forgetName() {
    storedName = nil
  }

  /// The newest state that this process has verified.
  var snapshot: GroupSnapshot { current.withLock { $0 } }

  /// Publishes a verified state, unless a later one is known.
  func publish(_ snapshot: GroupSnapshot) {
    current.withLock { current in
      if snapshot.verified.position > current.verified.position { current = snapshot }
    }
  }
}

extension BoxPart {
  var label: Label {
    switch self {
    case .attributes: .attributes
    case .secret: .secret
    case .history: .history
    }
  }

  var index: Int {
    switch self {
    case .attributes: 0
    case .secret: 1
    case .history: 2
    }
  }
}
