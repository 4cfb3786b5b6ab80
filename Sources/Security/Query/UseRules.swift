import Foundation

/// The keys that say how a person may be asked; nobody is asked here, so they are checked and change nothing.
enum UseRules {
  /// - Throws: `errSecParam` for an unknown key or value, for a list of items, and for skipping items where
  ///   nothing is read.
  static func check(_ uses: [KeychainEntries.Entry], isReading: Bool) throws(KeychainError) {
    for (key, value) in uses {
      switch key as NSString {
      case kSecUseOperationPrompt: guard value is String else { throw .parameter }
      case kSecUseNoAuthenticationUI: guard truthValue(value) != nil else { throw .parameter }
      case kSecUseAuthenticationUI: try checkInterface(value, isReading: isReading)
      case kSecUseAuthenticationContext: break
      default: throw .parameter
      }
    }
  }

  private static func checkInterface(_ value: Any, isReading: Bool) throws(KeychainError) {
    switch value as? NSString {
    case kSecUseAuthenticationUIAllow, kSecUseAuthenticationUIFail: break
    case kSecUseAuthenticationUISkip where isReading: break
    default: throw .parameter
    }
  }
}
