import VaultFormat

/// An event that waits for its reader.
///
/// Names lie in buffers that are wiped when they go, and a lock takes those of the classes that it closes.
enum BufferedEvent: Sendable {
  case vault(VaultEvent.Kind)
  case item(ItemEvent)

  /// The event as its reader gets it.
  var event: VaultEvent {
    switch self {
    case .vault(let kind): VaultEvent(kind)
    case .item(let item): VaultEvent(item.kind, item: item.changedItem)
    }
  }

  /// Drops names: those that a lock closes, or all.
  mutating func forgetNames(ofEveryClass: Bool) {
    guard case .item(var item) = self else { return }
    item.forgetNames(ofEveryClass: ofEveryClass)
    self = .item(item)
  }
}

/// An event about an item, with its names as items without contents.
struct ItemEvent: Sendable {
  let kind: VaultEvent.Kind
  let id: Identifier
  let version: UInt64
  var group: String?
  var name: SecretItem?
  var formerName: SecretItem?

  fileprivate var changedItem: ChangedItem {
    ChangedItem(
      itemID: id.hex,
      identity: name?.identity,
      formerIdentity: formerName?.identity,
      group: group,
      version: version
    )
  }

  fileprivate mutating func forgetNames(ofEveryClass: Bool) {
    group = nil
    name = name?.kept(ofEveryClass: ofEveryClass)
    formerName = formerName?.kept(ofEveryClass: ofEveryClass)
  }
}

extension SecretItem {
  /// What stays of a name at a lock, or where every key goes: the group's name never does.
  fileprivate func kept(ofEveryClass: Bool) -> SecretItem? {
    if ofEveryClass || accessibility.classByte.isLockedWhenLocked { return nil }
    var kept = self
    kept.groupName = nil
    return kept
  }

  /// The item with nothing but what names it.
  var withNameOnly: SecretItem { SecretItem(identity: identity, accessibility: accessibility) }
}

/// The names that readers were told, so that a removal can be named.
///
/// When there are too many all are dropped, so the memory for them stays bounded.
struct ToldNames {
  private static let capacity = 4096
  private var names: [Identifier: SecretItem] = [:]

  subscript(id: Identifier) -> SecretItem? {
    get { names[id] }
    set {
      if newValue != nil, names.count >= Self.capacity { names = [:] }
      names[id] = newValue
    }
  }

  /// Drops those that a lock closes, or all.
  mutating func forget(ofEveryClass: Bool) {
    names = names.compactMapValues { $0.kept(ofEveryClass: ofEveryClass) }
  }
}
