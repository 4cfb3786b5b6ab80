/// The attribute list of an item: tagged fields by strictly ascending tag.
///
/// Values are bytes, compared as bytes and never normalised. The list is read in place, in the
/// buffer that it was opened into; unknown tags below 128 stay where they are.
package enum AttributeCoding {
  /// Checks a list that was opened.
  ///
  /// Throws ``FormatError/malformed`` if the list or a value is too long, tags do not strictly
  /// ascend from 1, a value of fixed width has another, or a tag that names an item of this kind is
  /// missing; else ``FormatError/unsupportedAttribute`` if there is a tag from 128 on.
  package static func validate(_ list: Span<UInt8>, kind: UInt8) throws(FormatError) {
    guard list.count <= Limits.attributesByteCount else { throw .malformed }
    var cursor = TaggedFieldCursor()
    let identity = AttributeTag.identity(ofKind: kind)
    var missing = identity.count
    var isSupported = true
    while let field = try cursor.next(in: list) {
      let tag = AttributeTag(rawValue: field.tag)
      try validate(tag, value: field.value, in: list)
      if identity.contains(tag) {
        missing -= 1
      }
      if tag.isCritical {
        isSupported = false
      }
    }
    guard missing == 0 else { throw .malformed }
    guard isSupported else { throw .unsupportedAttribute }
  }

  private static func validate(
    _ tag: AttributeTag,
    value: Range<Int>,
    in list: Span<UInt8>
  ) throws(FormatError) {
    guard value.count <= Limits.attributeValueByteCount else { throw .malformed }
    if let width = tag.fixedByteCount {
      guard value.count == width else { throw .malformed }
    }
    if tag == .forms {
      try validateForms(value, in: list)
    }
  }

  /// Checks pairs of tag and form: ascending tags, and form 1 (data) or 2 (number).
  private static func validateForms(
    _ value: Range<Int>,
    in list: Span<UInt8>
  ) throws(FormatError) {
    guard value.count.isMultiple(of: 2) else { throw .malformed }
    var previousTag: UInt8 = 0
    for offset in stride(from: value.lowerBound, to: value.upperBound, by: 2) {
      guard list[offset] > previousTag, (1...2).contains(list[offset + 1]) else {
        throw .malformed
      }
      previousTag = list[offset]
    }
  }

  /// Where the value of an attribute lies in a list that ``validate(_:kind:)`` accepted, or nil if
  /// the list does not have it.
  package static func range(of tag: AttributeTag, in list: Span<UInt8>) -> Range<Int>? {
    var cursor = TaggedFieldCursor()
    while let field = try? cursor.next(in: list), field.tag <= tag.rawValue {
      if field.tag == tag.rawValue {
        return field.value
      }
    }
    return nil
  }

  /// Visits each attribute in the order of the tags, with where its value lies.
  ///
  /// Throws ``FormatError/malformed`` at the first field that breaks the list.
  package static func forEach(
    in list: Span<UInt8>,
    _ body: (AttributeTag, Range<Int>) throws(FormatError) -> Void
  ) throws(FormatError) {
    var cursor = TaggedFieldCursor()
    while let field = try cursor.next(in: list) {
      try body(AttributeTag(rawValue: field.tag), field.value)
    }
  }

  /// Writes a list, which need not be sorted.
  ///
  /// Throws ``FormatError/malformed`` for tag 0, a tag given twice or a wrong fixed width, and
  /// ``FormatError/limitExceeded`` if a value or the list is too long.
  package static func encode(
    _ attributes: [(AttributeTag, [UInt8])]
  ) throws(FormatError) -> [UInt8] {
    var output: [UInt8] = []
    var previousTag = AttributeTag(rawValue: 0)
    for (tag, value) in attributes.sorted(by: { $0.0 < $1.0 }) {
      guard tag > previousTag else { throw .malformed }
      guard value.count <= Limits.attributeValueByteCount else { throw .limitExceeded }
      try validate(tag, value: 0..<value.count, in: value.span)
      previousTag = tag
      output.append(tag: tag.rawValue, value: value.span)
    }
    guard output.count <= Limits.attributesByteCount else { throw .limitExceeded }
    return output
  }
}
