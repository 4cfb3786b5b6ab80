import Foundation
import SecretVault

/// A new item as a client describes it.
struct Addition {
  let kind: ItemKind
  let attributes: QueryAttributes
  let returns: ReturnKinds
  fileprivate let accessibility: Accessibility
  fileprivate let secret: SecretBytes?

  /// - Throws: `errSecParam` without a class, with a match key, or with a reference that is none; what
  ///   reading the parts throws.
  init(_ dictionary: CFDictionary) throws(KeychainError) {
    let entries = try KeychainEntries(dictionary)
    guard let itemClass = entries.itemClass else { throw .parameter }
    kind = try ItemKind(itemClass: itemClass)
    guard entries.matches.isEmpty else { throw .parameter }
    try UseRules.check(entries.uses, isReading: false)
    returns = try ReturnKinds(entries.returns)
    attributes = try QueryAttributes(entries, of: kind)
    accessibility = try attributes.storedAccessibility() ?? .whenUnlocked
    let values = try QueryValues(entries.values)
    // The new item gets a reference of its own; one that is given must only be well formed.
    if let data = values.persistentReference { _ = try PersistentReference(data) }
    secret = try values.secret()
  }
}

extension Keychain {
  /// Stores a new item.
  func add(_ addition: Addition) throws(KeychainError) -> CFTypeRef? {
    let groups = try groups(named: addition.attributes.group)
    guard let group = groups.first else { throw .missingEntitlement }
    let item = SecretItem(
      kind: addition.kind,
      group: group,
      isSynchronizable: addition.attributes.synchronizable == .yes,
      accessibility: addition.accessibility,
      // The vault notes the present moment for both.
      attributes: addition.attributes.values.filter { $0.key != .created && $0.key != .modified }
    )
    let found = try perform { () throws(VaultError) in
      try store.addItem(item, secret: addition.secret, in: group)
    }
    return ItemResult(found: found, kind: addition.kind, returns: addition.returns).object
  }
}
