/// A walk over a list of tagged fields: one tag byte, a 32-bit length and the value, repeated.
///
/// The walk demands strictly ascending tags above zero, so that a list has one spelling only. It
/// copies and allocates nothing; the bytes are handed in at each step.
package struct TaggedFieldCursor: Sendable {
  private var offset = 0
  private var previousTag: UInt8 = 0

  /// Starts before the first field.
  package init() {}

  /// Steps to the next field, or gives nil when the list ended cleanly.
  ///
  /// Throws ``FormatError/malformed`` if the field breaks the order or reaches beyond the end.
  package mutating func next(
    in bytes: Span<UInt8>
  ) throws(FormatError) -> (tag: UInt8, value: Range<Int>)? {
    guard offset < bytes.count else { return nil }
    let tag = bytes[offset]
    guard tag > previousTag else { throw .malformed }
    let value = try bytes.lengthPrefixedRange(at: offset + 1)
    previousTag = tag
    offset = value.upperBound
    return (tag, value)
  }
}

extension [UInt8] {
  /// Writes one tagged field at the end.
  mutating func append(tag: UInt8, value: Span<UInt8>) {
    append(tag)
    append(lengthPrefixed: value)
  }
}
