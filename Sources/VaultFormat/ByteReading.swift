extension Span<UInt8> {
  /// Reads a big-endian integer.
  ///
  /// Throws ``FormatError/malformed`` if the integer does not lie wholly inside.
  @inlinable
  package func integer<Value: FixedWidthInteger & UnsignedInteger>(
    at offset: Int,
    as type: Value.Type = Value.self
  ) throws(FormatError) -> Value {
    let width = Value.bitWidth / 8
    guard holds(width, at: offset) else { throw .malformed }
    var value: Value = 0
    for index in offset..<(offset + width) {
      value = value << 8 | Value(truncatingIfNeeded: self[index])
    }
    return value
  }

  /// Reads a value of fixed width.
  ///
  /// Throws ``FormatError/malformed`` if the value does not lie wholly inside.
  @inlinable
  package func fixedBytes<let width: Int>(
    at offset: Int
  ) throws(FormatError) -> FixedBytes<width> {
    guard holds(width, at: offset) else { throw .malformed }
    return try FixedBytes(extracting(offset..<(offset + width)))
  }

  /// Reads an epoch, counter, version or box number: 1 to 2^62, else ``FormatError/malformed``.
  @inlinable
  package func counter(at offset: Int) throws(FormatError) -> UInt64 {
    let value: UInt64 = try integer(at: offset)
    guard Limits.counters.contains(value) else { throw .malformed }
    return value
  }

  /// Reads a 32-bit length and gives the range of the bytes that it announces.
  ///
  /// Throws ``FormatError/malformed`` if the announced bytes do not lie wholly inside.
  @inlinable
  package func lengthPrefixedRange(at offset: Int) throws(FormatError) -> Range<Int> {
    let length = Int(try integer(at: offset, as: UInt32.self))
    let start = offset + 4
    guard holds(length, at: start) else { throw .malformed }
    return start..<(start + length)
  }

  /// Copies the bytes of a range.
  ///
  /// Throws ``FormatError/malformed`` if the range does not lie wholly inside.
  package func array(in range: Range<Int>) throws(FormatError) -> [UInt8] {
    guard holds(range.count, at: range.lowerBound) else { throw .malformed }
    var copy: [UInt8] = []
    copy.append(extracting(range))
    return copy
  }

  /// Whether all bytes of a range that lies inside are zero.
  @inlinable
  package func isZero(in range: Range<Int>) -> Bool {
    unsafe extracting(range).withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        if unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) != 0 { return false }
        offset += 8
      }
      return unsafe bytes[offset...].allSatisfy { $0 == 0 }
    }
  }

  /// Whether `width` bytes from `offset` lie inside; compares so that no sum can overflow.
  @inlinable
  package func holds(_ width: Int, at offset: Int) -> Bool {
    offset >= 0 && width >= 0 && width <= count && offset <= count - width
  }
}
