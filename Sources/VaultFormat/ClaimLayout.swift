extension Claim {
  /// The length of a claim in bytes.
  package static let byteCount = 107

  /// The part that is bound into the boxes of the row.
  package static let boundRange = 0..<75

  /// Where the kind is.
  package static let kindOffset = 16

  /// Where the class byte is.
  package static let accessibilityOffset = 17

  /// Where the flags are.
  package static let flagsOffset = 18

  /// Where the device id is.
  package static let deviceRange = 19..<35

  /// Where the version is.
  package static let versionRange = 35..<43

  /// Where the lookup is.
  package static let lookupRange = 43..<75

  /// Where the rev is.
  package static let revRange = 75..<99

  /// Where the row number of the box is.
  package static let boxRange = 99..<107
}
