/// The base64 encoding of RFC 4648, section 4, with padding.
enum Base64 {
  /// How many digits so many bytes take, padding included.
  static func encodedCount(_ byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

  /// Calls `body` with each digit.
  static func forEachDigit(of bytes: Span<UInt8>, _ body: (UInt8) -> Void) {
    var start = 0
    while start < bytes.count {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for index in 0..<3 {
        group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0)
      }
      for index in 0..<4 {
        let value = UInt8(truncatingIfNeeded: group >> (18 - 6 * UInt32(index)) & 0x3F)
        body(index <= count ? digit(value) : UInt8(ascii: "="))
      }
      start += 3
    }
  }

  /// Encodes bytes that are no secret.
  static func encode(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    forEachDigit(of: bytes.span) { digits.append($0) }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
