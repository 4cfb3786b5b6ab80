/// A value of exactly `byteCount` bytes that is stored in place and never on the heap.
///
/// Order is that of `memcmp`: the first differing byte decides. Comparison is not constant in time
/// and serves names and lookups; a tag is verified where the cipher lives.
@usableFromInline
package struct FixedBytes<let byteCount: Int>: Sendable {
  /// The bytes in the order in which the file holds them.
  @usableFromInline
  package var bytes: InlineArray<byteCount, UInt8>

  /// Takes over the given bytes.
  @inlinable
  package init(_ bytes: InlineArray<byteCount, UInt8>) {
    self.bytes = bytes
  }

  /// Fills all bytes with one value.
  @inlinable
  package init(repeating byte: UInt8) {
    bytes = InlineArray(repeating: byte)
  }

  /// Copies bytes, which must be exactly `byteCount`, else throws ``FormatError/malformed``.
  @inlinable
  package init(_ source: Span<UInt8>) throws(FormatError) {
    guard source.count == byteCount else { throw .malformed }
    bytes = InlineArray(repeating: 0)
    var target = bytes.mutableSpan
    unsafe target.withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { source in
        unsafe target.copyMemory(from: source)
      }
    }
  }

  /// All bytes zero, which the format reads as "none" or "root".
  @inlinable
  package static var zero: Self { Self(repeating: 0) }

  /// The bytes as an array.
  package var array: [UInt8] {
    var copy: [UInt8] = []
    append(to: &copy)
    return copy
  }

  /// The bytes in lowercase hexadecimal, two digits a byte.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * byteCount)
    for index in 0..<byteCount {
      text.append(digits[Int(bytes[index] >> 4)])
      text.append(digits[Int(bytes[index] & 0x0f)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes the bytes at the end of an array.
  @inlinable
  package func append(to output: inout [UInt8]) {
    output.append(bytes.span)
  }
}

extension FixedBytes: Equatable {
  /// Whether all bytes are equal.
  @inlinable
  package static func == (left: Self, right: Self) -> Bool {
    for index in 0..<byteCount where left.bytes[index] != right.bytes[index] {
      return false
    }
    return true
  }
}

extension FixedBytes: Hashable {
  /// Feeds the bytes to a hasher.
  @inlinable
  package func hash(into hasher: inout Hasher) {
    unsafe bytes.span.withUnsafeBytes { source in
      unsafe hasher.combine(bytes: source)
    }
  }
}

extension FixedBytes: Comparable {
  /// Whether the first differing byte is smaller on the left.
  @inlinable
  package static func < (left: Self, right: Self) -> Bool {
    for index in 0..<byteCount where left.bytes[index] != right.bytes[index] {
      return left.bytes[index] < right.bytes[index]
    }
    return false
  }
}

/// The random name of a vault, slot, group, item, device or holder; zeros where there is none.
package typealias Identifier = FixedBytes<16>

/// The random salt of a box; the `rev` of a row is one.
package typealias Salt = FixedBytes<24>

/// A tag that authenticates a list, or the lookup of an item.
package typealias Digest = FixedBytes<32>

/// The unkeyed check behind an anchor record.
package typealias AnchorCheck = FixedBytes<12>
