import SecretVault

/// A text with references between double braces, such as `{{ secret://SERVICE/ACCOUNT }}`.
///
/// The text itself is no secret. Any byte may stand in it and is kept; braces that hold no reference are
/// text too, so that the marks of other templates pass through.
struct Template {
  /// The most that a template, or what becomes of it, may have, in bytes.
  static let limit = 16 << 20

  /// A run of the text, or what is put in its place.
  private enum Piece {
    case text(Range<Int>)
    case reference(SecretReference, line: Int)
  }

  private let text: [UInt8]
  private let pieces: [Piece]

  /// Reads a template to its end.
  ///
  /// - Throws: A failure: unreadable, too long; a usage failure, which names the line, for a malformed
  ///   reference.
  init(reading descriptor: Descriptor, name: String) throws(Failure) {
    text = try Self.bytes(of: descriptor, name: name)
    pieces = try Self.pieces(of: text)
  }

  /// Whether anything is to be put into it.
  var hasReferences: Bool {
    pieces.contains { if case .reference = $0 { true } else { false } }
  }

  /// Reads the secrets, in the order of their references.
  ///
  /// - Throws: A failure that names the line: an item is missing or cannot be read; or the result would be
  ///   too long.
  func secrets(from store: any ItemStore) throws(Failure) -> [SecretBytes] {
    var resolver = ReferenceResolver(store)
    var secrets: [SecretBytes] = []
    var total = text.count
    for case .reference(let reference, let line) in pieces {
      let secret = try resolver.secret(for: reference, at: "line \(line)")
      total += secret.count
      if total > Self.limit { throw Self.tooLong("the filled template") }
      secrets.append(secret)
    }
    return secrets
  }

  /// Writes the text with the secrets in their places.
  func write(_ secrets: [SecretBytes], to output: Output) throws(Failure) {
    var secrets = secrets[...]
    for piece in pieces {
      switch piece {
      case .text(let range): try output.write(Array(text[range]))
      case .reference: if let secret = secrets.popFirst() { try output.write(secret) }
      }
    }
    try output.flush()
  }

  private static func bytes(of descriptor: Descriptor, name: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      var target = chunk.mutableSpan
      let count = try descriptor.read(into: &target, at: 0..<target.count, name: name)
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
      if bytes.count > limit { throw tooLong("the template") }
    }
  }

  private static func tooLong(_ subject: String) -> Failure {
    Failure(
      .limitExceeded,
      name: "limitExceeded",
      "\(subject) has more than 16 MiB; fill it in parts, nothing was written"
    )
  }
}

extension Template {
  private static let escapedBraces = Array("{{{{".utf8)
  private static let opening = Array("{{".utf8)
  private static let closing = Array("}}".utf8)

  /// Finds the references, and the braces that stand for braces.
  private static func pieces(of text: [UInt8]) throws(Failure) -> [Piece] {
    var pieces: [Piece] = []
    var textStart = 0
    var position = 0
    var line = 1
    while position < text.count {
      if text[position] == UInt8(ascii: "\n") { line += 1 }
      if text[position...].starts(with: escapedBraces) {
        pieces.append(.text(textStart..<position + opening.count))
        position += escapedBraces.count
        textStart = position
      } else if let start = referenceStart(in: text, at: position) {
        pieces.append(.text(textStart..<position))
        let (reference, end) = try reference(in: text, from: start, line: line)
        pieces.append(.reference(reference, line: line))
        position = end
        textStart = end
      } else {
        position += 1
      }
    }
    return pieces + [.text(textStart..<text.count)]
  }

  /// Where the reference begins that braces at a place hold, if they do.
  private static func referenceStart(in text: [UInt8], at position: Int) -> Int? {
    guard text[position...].starts(with: opening) else { return nil }
    let inside = text[(position + opening.count)...].drop(while: isBlank)
    return inside.starts(with: SecretReference.scheme) ? inside.startIndex : nil
  }

  /// Reads a reference and the braces after it.
  private static func reference(
    in text: [UInt8],
    from start: Int,
    line: Int
  ) throws(Failure) -> (SecretReference, end: Int) {
    let name = text[start...].prefix {
      !isBlank($0) && $0 != closing[0] && $0 != UInt8(ascii: "\n")
    }
    let rest = text[name.endIndex...].drop(while: isBlank)
    guard rest.starts(with: closing) else {
      throw .usage("line \(line): the reference is not closed; write }} behind it")
    }
    do {
      return (try SecretReference(name), rest.startIndex + closing.count)
    } catch {
      throw error.prefixed(with: "line \(line)")
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
