import Foundation
import SecretVault

/// A change of every item that a query finds.
struct Update {
  fileprivate let query: KeychainQuery
  fileprivate let changes: QueryAttributes
  fileprivate let accessibility: Accessibility?
  fileprivate let secret: SecretBytes?

  /// - Throws: `errSecParam` for a match key or a wanted result in the query, `errSecNoSuchAttr` for a class,
  ///   match, return or use key among the changes; what reading the parts throws.
  init(_ dictionary: CFDictionary, _ changed: CFDictionary) throws(KeychainError) {
    query = try KeychainQuery(dictionary)
    guard query.entries.matches.isEmpty else { throw .parameter }
    guard try ReturnKinds(query.entries.returns).isEmpty else { throw .parameter }
    try UseRules.check(query.entries.uses, isReading: false)
    let entries = try KeychainEntries(changed)
    guard entries.itemClass == nil, entries.matches.isEmpty, entries.returns.isEmpty,
      entries.uses.isEmpty
    else { throw KeychainError(errSecNoSuchAttr) }
    let values = try QueryValues(entries.values)
    guard values.persistentReference == nil else { throw .parameter }
    changes = try QueryAttributes(entries, of: query.kind)
    accessibility = try changes.storedAccessibility()
    secret = try values.secret()
  }

  /// Makes the changes of one item.
  ///
  /// - Throws: `VaultError` with the code `invalidArgument` where it would be synchronizable and bound to
  ///   this device.
  fileprivate func apply(to item: inout SecretItem) throws(VaultError) {
    for (attribute, value) in changes.values where attribute != .modified {
      item[attribute] = value
    }
    if let accessibility { item.accessibility = accessibility }
    switch changes.synchronizable {
    case .yes: item.isSynchronizable = true
    case .no: item.isSynchronizable = false
    case .any, nil: break
    }
    if item.isSynchronizable, item.accessibility.isDeviceBound {
      throw VaultError(.invalidArgument)
    }
  }
}

extension Keychain {
  /// Changes items.
  ///
  /// - Throws: `errSecItemNotFound` where nothing matches.
  func update(_ update: Update) throws(KeychainError) {
    let search = update.query.search(in: try groups(named: update.query.attributes.group))
    if let group = update.changes.group { _ = try groups(named: group) }
    let count = try perform { () throws(VaultError) in
      try store.updateItems(
        search,
        secret: update.secret,
        group: update.changes.group,
        using: index,
        update.apply
      )
    }
    if count == 0 { throw KeychainError(errSecItemNotFound) }
  }
}
