import VaultFormat

/// The bytes of hexadecimal digits; the tests hand in an even number of digits only.
func bytes(_ hexadecimal: String) -> [UInt8] {
  let digits = hexadecimal.compactMap { $0.hexDigitValue }
  return stride(from: 0, to: digits.count - 1, by: 2).map { index in
    UInt8(digits[index] << 4 | digits[index + 1])
  }
}

/// A name of 16 bytes; zeros if the tests hand in another length.
func identifier(_ bytes: [UInt8]) -> Identifier {
  (try? Identifier(bytes.span)) ?? .zero
}

extension [UInt8] {
  /// A copy with one byte replaced.
  func replacing(at index: Int, with byte: UInt8) -> [UInt8] {
    var copy = self
    copy[index] = byte
    return copy
  }

  /// A copy with a big-endian integer written over the bytes from an index.
  func replacing<Value: FixedWidthInteger & UnsignedInteger>(
    at index: Int,
    with value: Value
  ) -> [UInt8] {
    var encoded: [UInt8] = []
    encoded.append(bigEndian: value)
    var copy = self
    copy.replaceSubrange(index..<(index + encoded.count), with: encoded)
    return copy
  }
}
