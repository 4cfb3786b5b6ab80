import SecretVault

/// An environment file, as `export --format env` makes and `run --env-file` reads it.
///
/// | line | becomes |
/// |---|---|
/// | `NAME=VALUE` | an item with the service that was given, and the name as account; the secret is every byte up to the end of the line |
/// | `export NAME=VALUE` | the same |
/// | empty, or beginning with `#` | nothing |
///
/// There is no standard for such files. Quotes are not taken away and nothing is expanded, so that what was
/// exported comes back; a value in quotes is reported.
struct EnvironmentImport {
  /// The service of all items.
  let service: [UInt8]

  /// Whether every line can be read, and at least one gives a variable.
  static func recognizes(_ text: Span<UInt8>) -> Bool {
    var hasVariable = false
    do throws(ImportFlaw) {
      try forEachVariable(in: text) { _, _ in hasVariable = true }
    } catch {
      return false
    }
    return hasVariable
  }

  /// Reads all rows.
  ///
  /// - Throws: The first ``ImportFlaw``, or an error where no locked memory is left.
  func rows(in text: Span<UInt8>) throws -> [ImportRow] {
    var lines = LineCounter()
    var variables: [(name: Range<Int>, value: Range<Int>)] = []
    try Self.forEachVariable(in: text) { name, value in variables.append((name, value)) }
    return try variables.map { name, value in
      var row = ImportRow(
        line: lines.line(at: name.lowerBound, in: text),
        service: service,
        account: text.extracting(name).array,
        secret: try EncodedValue(range: value, encoding: .verbatim).secret(in: text)
      )
      if Self.isQuoted(value, in: text) { row.remark = "the quotes are part of the secret" }
      if let last = value.last, text[last] == UInt8(ascii: "\r") {
        row.remark =
          "the return at its end is part of the secret; convert the file to newlines alone"
      }
      return row
    }
  }

  private static func forEachVariable(
    in text: Span<UInt8>,
    _ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void
  ) throws(ImportFlaw) {
    var start = 0
    while start < text.count {
      let end = text.firstIndex(of: UInt8(ascii: "\n"), in: start..<text.count) ?? text.count
      if start < end, text[start] != UInt8(ascii: "#") {
        let first = text.has("export ", at: start) ? start + 7 : start
        guard let sign = text.firstIndex(of: UInt8(ascii: "="), in: first..<end),
          Variable.isLegal(text.extracting(first..<sign).array)
        else { throw ImportFlaw("the line is not NAME=VALUE", at: start) }
        body(first..<sign, (sign + 1)..<end)
      }
      start = end + 1
    }
  }

  private static func isQuoted(_ value: Range<Int>, in text: Span<UInt8>) -> Bool {
    guard value.count >= 2 else { return false }
    let first = text[value.lowerBound]
    return first == text[value.upperBound - 1]
      && (first == UInt8(ascii: "\"") || first == UInt8(ascii: "'"))
  }
}
