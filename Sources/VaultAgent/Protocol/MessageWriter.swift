package import SecretMemory
package import SecretVault

/// A message on its way out: a kind, and a body in pieces, of which the secret ones are never copied.
package struct OutgoingMessage: Sendable {
  /// A part of the body.
  package enum Piece: Sendable {
    /// Bytes that need no protection.
    case plain([UInt8])
    /// A secret where it is, in locked memory.
    case secret(SecretBytes)

    /// The size in bytes.
    package var count: Int {
      switch self {
      case .plain(let bytes): bytes.count
      case .secret(let bytes): bytes.count
      }
    }

    /// Lends the bytes for the length of a call.
    func withBytes<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
      switch self {
      case .plain(let bytes): try body(bytes.span)
      case .secret(let bytes): try bytes.withBytes(body)
      }
    }
  }

  /// The operation of a request, or the kind of a reply.
  package let kind: UInt8

  /// The parts of the body, in order.
  package private(set) var pieces: [Piece] = []

  /// Starts a message without a body.
  package init(kind: UInt8) {
    self.kind = kind
  }

  /// The size of the body, in bytes.
  package var bodyByteCount: Int { pieces.reduce(0) { $0 + $1.count } }

  /// The header and the body, in order.
  package var allPieces: [Piece] {
    let header = FrameHeader(kind: kind, bodyByteCount: bodyByteCount).bytes
    guard case .plain(let start)? = pieces.first else { return [.plain(header)] + pieces }
    return [.plain(header + start)] + pieces.dropFirst()
  }
}

extension OutgoingMessage: CustomStringConvertible, CustomReflectable {
  /// The kind, never the body.
  package var description: String { "OutgoingMessage(kind \(kind))" }

  /// No children, so that a dump shows nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension OutgoingMessage {
  /// Writes bytes as they are.
  package mutating func append(_ bytes: [UInt8]) {
    if case .plain(let start)? = pieces.last {
      pieces[pieces.count - 1] = .plain(start + bytes)
    } else {
      pieces.append(.plain(bytes))
    }
  }

  /// Writes an integer in big-endian order.
  package mutating func append<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) {
    let shifts = stride(from: Value.bitWidth - 8, through: 0, by: -8)
    append(shifts.map { UInt8(truncatingIfNeeded: value >> $0) })
  }

  /// Writes one byte: 1 for true, 0 for false.
  package mutating func append(_ flag: Bool) {
    append([flag ? 1 : 0])
  }

  /// Writes a 32-bit length and the UTF-8 of a text.
  package mutating func append(_ text: String) {
    appendPrefixed(Array(text.utf8))
  }

  /// Writes a 32-bit length and bytes.
  package mutating func appendPrefixed(_ bytes: [UInt8]) {
    append(UInt32(clamping: bytes.count))
    append(bytes)
  }

  /// Writes whether there is a value, and the value where there is one.
  package mutating func append<Value>(
    _ value: Value?,
    _ write: (inout OutgoingMessage, Value) -> Void
  ) {
    append(value != nil)
    if let value { write(&self, value) }
  }

  /// Writes an item without its secret.
  package mutating func append(_ item: SecretItem) {
    var bytes: [UInt8] = []
    item.appendTransfer(to: &bytes)
    append(bytes)
  }

  /// Writes what names an item.
  package mutating func append(_ identity: ItemIdentity) {
    append(SecretItem(identity: identity))
  }

  /// Writes a 32-bit length and a secret.
  package mutating func append(_ secret: SecretBytes) {
    append(UInt32(clamping: secret.count))
    appendToEnd(secret)
  }

  /// Writes a secret that takes the rest of the body.
  package mutating func appendToEnd(_ secret: SecretBytes) {
    pieces.append(.secret(secret))
  }
}
