import Foundation
import SecretVault

/// A removal of every item that a query finds.
struct Deletion {
  fileprivate let query: KeychainQuery

  /// - Throws: `errSecParam` for a match key, the limit among them; what reading the parts throws.
  init(_ dictionary: CFDictionary) throws(KeychainError) {
    query = try KeychainQuery(dictionary)
    guard query.entries.matches.isEmpty else { throw .parameter }
    // Nothing is returned, but what is asked for must be well formed.
    _ = try ReturnKinds(query.entries.returns)
    try UseRules.check(query.entries.uses, isReading: false)
  }
}

extension Keychain {
  /// Removes items.
  ///
  /// - Throws: `errSecItemNotFound` where nothing matches.
  func delete(_ deletion: Deletion) throws(KeychainError) {
    let query = deletion.query
    let search = query.search(in: try groups(named: query.attributes.group))
    let count = try perform { () throws(VaultError) in
      try store.removeItems(search, using: index)
    }
    if count == 0 { throw KeychainError(errSecItemNotFound) }
  }
}
