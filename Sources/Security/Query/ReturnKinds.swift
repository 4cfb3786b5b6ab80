import Foundation
import SecretVault

/// What a client wants to get of each item.
struct ReturnKinds: OptionSet {
  let rawValue: Int

  static let data = ReturnKinds(rawValue: 1 << 0)
  static let attributes = ReturnKinds(rawValue: 1 << 1)
  static let reference = ReturnKinds(rawValue: 1 << 2)
  static let persistentReference = ReturnKinds(rawValue: 1 << 3)

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Reads the return keys of a dictionary.
  ///
  /// - Throws: `errSecParam` for a value that is no truth value, and for an unknown key.
  init(_ returns: [KeychainEntries.Entry]) throws(KeychainError) {
    self = []
    for (key, value) in returns {
      guard let isWanted = truthValue(value) else { throw .parameter }
      let kind: ReturnKinds
      switch key {
      case Key.returnData: kind = .data
      case Key.returnAttributes: kind = .attributes
      case Key.returnRef: kind = .reference
      case Key.returnPersistentRef: kind = .persistentReference
      default: throw .parameter
      }
      if isWanted { insert(kind) }
    }
  }

  /// What has to be read of an item.
  var parts: ItemParts {
    var parts: ItemParts = []
    if contains(.data) { parts.insert(.secret) }
    if contains(.attributes) { parts.insert(.attributes) }
    return parts
  }
}
