/// Why a file cannot be imported, and where; it repeats nothing of the file.
struct ImportFlaw: Error {
  /// The place in the file, in bytes.
  let offset: Int
  /// What is wrong there, as the end of a sentence about the line.
  let text: String

  /// Names a place and what is wrong there.
  init(_ text: String, at offset: Int) {
    self.offset = offset
    self.text = text
  }

  /// The failure that the user is told.
  func failure(in text: Span<UInt8>, of name: String) -> Failure {
    var lines = LineCounter()
    let line = lines.line(at: offset, in: text)
    return .usage("\(name), line \(line): \(self.text); nothing was stored, mend the file")
  }
}

/// Turns places into line numbers, quickly where they come in ascending order.
struct LineCounter {
  private var offset = 0
  private var line = 1

  /// The number of the line at a place, from 1.
  mutating func line(at target: Int, in text: Span<UInt8>) -> Int {
    if target < offset { self = LineCounter() }
    while offset < min(target, text.count) {
      if text[offset] == UInt8(ascii: "\n") { line += 1 }
      offset += 1
    }
    return line
  }
}
