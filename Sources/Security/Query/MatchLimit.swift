import Foundation
import SecretVault

/// How many items a query wants, and in what shape they come.
struct MatchLimit {
  /// The most items, or `nil` for all.
  var count: Int?
  /// Whether the result is an array, even of one.
  var isArray: Bool

  /// Reads the match keys of a query.
  ///
  /// - Throws: `errSecUnimplemented` for a key that is about certificates or lists of references,
  ///   `errSecParam` for an unknown one or a limit that is none.
  init(_ matches: [KeychainEntries.Entry]) throws(KeychainError) {
    self.init(count: 1, isArray: false)
    for (key, value) in matches {
      switch key {
      case Key.limit: self = try Self.limit(value)
      // It has no effect on passwords: values are compared byte for byte.
      case Key.caseInsensitive: break
      case _ where Key.foreignMatches.contains(key): throw KeychainError(errSecUnimplemented)
      default: throw .parameter
      }
    }
  }

  private init(count: Int?, isArray: Bool) {
    self.count = count
    self.isArray = isArray
  }

  private static func limit(_ value: Any) throws(KeychainError) -> MatchLimit {
    if value as? String == String(kSecMatchLimitOne) { return MatchLimit(count: 1, isArray: false) }
    if value as? String == String(kSecMatchLimitAll) {
      return MatchLimit(count: nil, isArray: true)
    }
    guard truthValue(value) == nil, let number = value as? NSNumber, number.int64Value >= 0 else {
      throw .parameter
    }
    let count = Int(clamping: number.int64Value)
    return MatchLimit(count: count, isArray: count > 1)
  }
}
