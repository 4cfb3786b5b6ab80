/// An alphabet for secret bytes that is computed, not looked up: a table would tell by its cache
/// lines which letters were read.
enum TextAlphabet {
  /// The alphabet of RFC 4648, section 4; 6 bits a letter.
  case base64

  /// Crockford's base 32, which leaves out I, L, O and U; 5 bits a letter.
  case base32

  var bitsPerLetter: Int {
    switch self {
    case .base64: 6
    case .base32: 5
    }
  }

  /// The value of a letter, or -1 if the alphabet does not have it.
  func value(of letter: UInt8) -> Int {
    switch self {
    case .base64: Self.base64Value(of: Int(letter))
    case .base32: Self.base32Value(of: Int(letter))
    }
  }

  /// The letter of a value that has no more bits than a letter stands for.
  func letter(for value: Int) -> UInt8 {
    switch self {
    case .base64: UInt8(truncatingIfNeeded: Self.base64Letter(for: value))
    case .base32: UInt8(truncatingIfNeeded: Self.base32Letter(for: value))
    }
  }

  private static func base64Value(of letter: Int) -> Int {
    -1 + (mask(letter, 65...90) & (letter - 64)) + (mask(letter, 97...122) & (letter - 70))
      + (mask(letter, 48...57) & (letter + 5)) + (mask(letter, 43...43) & 63)
      + (mask(letter, 47...47) & 64)
  }

  private static func base64Letter(for value: Int) -> Int {
    (mask(value, 0...25) & (value + 65)) | (mask(value, 26...51) & (value + 71))
      | (mask(value, 52...61) & (value - 4)) | (mask(value, 62...62) & 43)
      | (mask(value, 63...63) & 47)
  }

  /// Case does not matter; I and L are read as 1, O as 0.
  private static func base32Value(of letter: Int) -> Int {
    let upper = letter - (mask(letter, 97...122) & 32)
    return -1 + (mask(upper, 48...57) & (upper - 47)) + (mask(upper, 65...72) & (upper - 54))
      + (mask(upper, 74...75) & (upper - 55)) + (mask(upper, 77...78) & (upper - 56))
      + (mask(upper, 80...84) & (upper - 57)) + (mask(upper, 86...90) & (upper - 58))
      + (mask(upper, 73...73) & 2) + (mask(upper, 76...76) & 2) + (mask(upper, 79...79) & 1)
  }

  private static func base32Letter(for value: Int) -> Int {
    (mask(value, 0...9) & (value + 48)) | (mask(value, 10...17) & (value + 55))
      | (mask(value, 18...19) & (value + 56)) | (mask(value, 20...21) & (value + 57))
      | (mask(value, 22...26) & (value + 58)) | (mask(value, 27...31) & (value + 59))
  }

  /// All bits set if a small number lies in a range, else none; without a branch.
  private static func mask(_ value: Int, _ range: ClosedRange<Int>) -> Int {
    ((range.lowerBound - 1 - value) & (value - 1 - range.upperBound)) >> (Int.bitWidth - 1)
  }
}

/// Bits on their way between bytes and letters.
struct BitQueue {
  private var bits = 0
  private(set) var count = 0

  /// Puts bits behind those that wait; never more than 13 wait at a time.
  mutating func push(_ value: Int, width: Int) {
    bits = (bits << width | value) & 0xffff
    count += width
  }

  /// Takes the bits that waited longest, or nil if fewer wait.
  mutating func pull(width: Int) -> Int? {
    guard count >= width else { return nil }
    count -= width
    return bits >> count & (1 << width - 1)
  }

  /// The bits that still wait, as a number.
  var remainder: Int { bits & (1 << count - 1) }
}
