extension [UInt8] {
  /// Writes bytes at the end.
  @inlinable
  package mutating func append(_ source: Span<UInt8>) {
    unsafe source.withUnsafeBufferPointer { bytes in
      unsafe append(contentsOf: bytes)
    }
  }

  /// Writes an integer in big-endian order at the end.
  @inlinable
  package mutating func append<Value: FixedWidthInteger & UnsignedInteger>(bigEndian value: Value) {
    unsafe Swift.withUnsafeBytes(of: value.bigEndian) { bytes in
      unsafe append(contentsOf: bytes)
    }
  }

  /// Writes a 32-bit length and then the bytes, which are fewer than 2^32 under every limit.
  @inlinable
  package mutating func append(lengthPrefixed source: Span<UInt8>) {
    append(bigEndian: UInt32(clamping: source.count))
    append(source)
  }
}

extension MutableSpan<UInt8> {
  /// Overwrites the bytes from `offset`; throws ``FormatError/limitExceeded`` if they do not fit.
  package mutating func replace(at offset: Int, with source: Span<UInt8>) throws(FormatError) {
    guard span.holds(source.count, at: offset) else { throw .limitExceeded }
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: bytes)
      }
    }
  }

  /// Overwrites an integer in big-endian order.
  ///
  /// Throws ``FormatError/limitExceeded`` if it does not fit.
  mutating func replace<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int,
    bigEndian value: Value
  ) throws(FormatError) {
    let width = Value.bitWidth / 8
    guard span.holds(width, at: offset) else { throw .limitExceeded }
    for index in 0..<width {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - index)))
    }
  }

  /// Sets the bytes of a range that lies inside to zero.
  mutating func clear(_ range: Range<Int>) {
    for index in range {
      self[index] = 0
    }
  }
}
