// Questions about the bytes of an imported file.

extension Span<UInt8> {
  /// Whether an ASCII text stands at a place.
  func has(_ word: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, count - offset >= word.utf8CodeUnitCount else { return false }
    return extracting(offset..<(offset + word.utf8CodeUnitCount)).equals(word)
  }

  /// The place of an ASCII text, the first from a place on.
  func firstIndex(of word: StaticString, from offset: Int) -> Int? {
    var index = offset
    while index <= count - word.utf8CodeUnitCount {
      if has(word, at: index) { return index }
      index += 1
    }
    return nil
  }

  /// The range without spaces, tabs and ends of lines at its start.
  func droppingSpace(_ range: Range<Int>) -> Range<Int> {
    let start = firstIndex(in: range) { !$0.isSpace } ?? range.upperBound
    return start..<range.upperBound
  }

  /// Throws where the bytes are no UTF-8.
  func requireUTF8() throws(ImportFlaw) {
    do {
      _ = try UTF8Span(validating: self)
    } catch {
      throw ImportFlaw("the bytes are no UTF-8", at: error.byteOffsets.lowerBound)
    }
  }
}

extension UInt8 {
  /// Whether it is a space, a tab, a newline or a return.
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
