import Foundation

/// The entries of a client's dictionary, sorted by what they are about.
///
/// The first letter of a key decides, and the length: keys of four characters are attributes.
struct KeychainEntries {
  typealias Entry = (key: String, value: Any)

  private(set) var itemClass: Any?
  private(set) var attributes: [Entry] = []
  private(set) var matches: [Entry] = []
  private(set) var returns: [Entry] = []
  private(set) var uses: [Entry] = []
  private(set) var values: [Entry] = []

  /// More entries than a class has columns are no query.
  private static let largestCount = 128

  /// - Throws: `errSecParam` for a key that is no text, or that no call knows.
  init(_ dictionary: CFDictionary) throws(KeychainError) {
    guard dictionary.count <= Self.largestCount else { throw .parameter }
    var entries: [(key: Any, value: Any)] = []
    // A loop over the dictionary itself takes four times as long.
    unsafe dictionary.enumerateKeysAndObjects(options: []) { key, value, _ in
      entries.append((key, value))
    }
    for (key, value) in entries {
      guard let key = key as? String else { throw .parameter }
      try insert(value, for: key)
    }
  }

  private mutating func insert(_ value: Any, for key: String) throws(KeychainError) {
    // It chooses between two keychains of macOS, and there is one here.
    if key == Key.dataProtection { return }
    if key.utf16.count == 4 {
      attributes.append((key, value))
      return
    }
    switch key.utf8.first {
    case UInt8(ascii: "c") where key == Key.itemClass: itemClass = value
    case UInt8(ascii: "m"): matches.append((key, value))
    case UInt8(ascii: "r"): returns.append((key, value))
    case UInt8(ascii: "u"): uses.append((key, value))
    case UInt8(ascii: "v"): values.append((key, value))
    default: throw .parameter
    }
  }
}
