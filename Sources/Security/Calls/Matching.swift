import Foundation
import SecretVault

/// A search whose results are handed out.
struct Reading {
  let query: KeychainQuery
  let limit: MatchLimit
  let returns: ReturnKinds

  /// - Throws: `errSecParam` for a reference together with attributes; what reading the parts throws.
  init(_ dictionary: CFDictionary, hasResult: Bool) throws(KeychainError) {
    query = try KeychainQuery(dictionary)
    limit = try MatchLimit(query.entries.matches)
    let returns = try ReturnKinds(query.entries.returns)
    // Who passes no place for a result asks whether there is one.
    self.returns = hasResult ? returns : []
    try UseRules.check(query.entries.uses, isReading: true)
    if query.persistentReference != nil, !query.attributes.isEmpty { throw .parameter }
  }
}

extension Keychain {
  /// Finds items.
  ///
  /// - Throws: `errSecItemNotFound` where nothing matches.
  func copy(_ reading: Reading) throws(KeychainError) -> CFTypeRef? {
    let query = reading.query
    var search = query.search(in: try groups(named: query.attributes.group))
    search.limit = reading.limit.count
    let found = try perform { () throws(VaultError) in
      try store.find(search, reading: reading.returns.parts, using: index)
    }
    guard !found.isEmpty else { throw KeychainError(errSecItemNotFound) }
    let objects = found.map {
      ItemResult(found: $0, kind: query.kind, returns: reading.returns).object
    }
    if reading.limit.isArray, reading.returns != .reference {
      return NSArray(array: objects.compactMap(\.self))
    }
    return objects.first ?? nil
  }
}
