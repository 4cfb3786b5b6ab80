extension [UInt8] {
  /// Reads bytes from pairs of hexadecimal digits; spaces and line breaks are skipped.
  ///
  /// Test vectors are written as text. A text that is none stops the test run, since no test could
  /// mean anything then.
  package init(hex text: String) {
    let digits = text.filter { !$0.isWhitespace }.map { character in
      guard let digit = character.hexDigitValue else {
        preconditionFailure("a test vector is not hexadecimal")
      }
      return UInt8(digit)
    }
    precondition(digits.count.isMultiple(of: 2), "a test vector has half a byte")
    self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
