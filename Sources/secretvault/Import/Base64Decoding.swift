import SecretVault

extension Base64 {
  /// Decodes (RFC 4648, section 4), from locked memory into locked memory.
  ///
  /// It is strict, so that every secret has one form: full groups, padding, and no bits left over.
  ///
  /// - Returns: `nil` for anything else than base64.
  /// - Throws: An error where no locked memory is left.
  static func decode(_ digits: SecretBytes) throws -> SecretBytes? {
    try digits.withBytes { digits in
      guard let count = decodedCount(digits) else { return nil }
      return try SecretBytes(count: count) { target in
        for start in stride(from: 0, to: digits.count, by: 4) {
          var group: UInt32 = 0
          for index in start..<(start + 4) { group = group << 6 | (value(of: digits[index]) ?? 0) }
          let first = start / 4 * 3
          for index in first..<min(first + 3, count) {
            target[index] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * (index - first)))
          }
        }
      }
    }
  }

  /// How many bytes well-formed digits stand for.
  private static func decodedCount(_ digits: Span<UInt8>) -> Int? {
    guard digits.count.isMultiple(of: 4) else { return nil }
    var padding = 0
    while padding < min(2, digits.count),
      digits[digits.count - 1 - padding] == UInt8(ascii: "=")
    {
      padding += 1
    }
    let significant = digits.count - padding
    for index in 0..<significant where value(of: digits[index]) == nil { return nil }
    // A byte more would begin in the last digit: its bits must be zero.
    let leftover: UInt32 = padding == 0 ? 0 : padding == 1 ? 0b11 : 0b1111
    if significant > 0, let last = value(of: digits[significant - 1]), last & leftover != 0 {
      return nil
    }
    return digits.count / 4 * 3 - padding
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
