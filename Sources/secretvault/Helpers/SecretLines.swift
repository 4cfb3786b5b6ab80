import SecretVault

/// Reads the lines of an input that holds secrets, in one piece of locked memory.
enum SecretLines {
  /// The most that a line may have, in bytes.
  static let lineLimit = 64 * 1024
  /// The most that all lines may have together, in bytes.
  static let totalLimit = 1 << 20

  /// Lends each line without its end to `body`, until that returns false or the input ends.
  ///
  /// A return before the newline belongs to the line's end, as git reads it.
  ///
  /// - Throws: A failure: unreadable, too long, or no locked memory left; and what `body` throws.
  static func read(
    _ descriptor: Descriptor,
    name: String,
    _ body: (Span<UInt8>) throws -> Bool
  ) throws {
    var failure: (any Error)?
    // Room for the longest line and its newline.
    _ = try SecretBytes(count: lineLimit + 1) { buffer in
      do {
        try read(descriptor, name: name, through: &buffer, body)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private static func read(
    _ descriptor: Descriptor,
    name: String,
    through buffer: inout MutableSpan<UInt8>,
    _ body: (Span<UInt8>) throws -> Bool
  ) throws {
    var filled = 0
    var total = 0
    while true {
      let count = try descriptor.read(into: &buffer, at: filled..<buffer.count, name: name)
      total += count
      if total > totalLimit { throw Failure.limitExceeded }
      let end = filled + count
      var start = 0
      while let newline = buffer.span.firstIndex(of: UInt8(ascii: "\n"), in: start..<end) {
        if try !lend(start..<newline, of: buffer.span, to: body) { return }
        start = newline + 1
      }
      if count == 0 {
        if start < end { _ = try lend(start..<end, of: buffer.span, to: body) }
        return
      }
      for index in start..<end { buffer[index - start] = buffer[index] }
      filled = end - start
      if filled == buffer.count { throw Failure.limitExceeded }
    }
  }

  private static func lend(
    _ line: Range<Int>,
    of bytes: Span<UInt8>,
    to body: (Span<UInt8>) throws -> Bool
  ) throws -> Bool {
    let endsWithReturn = !line.isEmpty && bytes[line.upperBound - 1] == UInt8(ascii: "\r")
    return try body(bytes.extracting(endsWithReturn ? line.dropLast() : line))
  }
}
