package import SecretMemory
package import SecretVault

/// A message that is not what its kind promises, or cannot be read.
package struct MalformedMessage: Error, Hashable, Sendable {
  /// Whether there is no locked memory for a secret in it; nothing else need be wrong then.
  package let lacksMemory: Bool

  /// Says so.
  package init(lacksMemory: Bool = false) {
    self.lacksMemory = lacksMemory
  }
}

/// Reads the body of a message from its start; every length is checked before it is believed.
package struct MessageReader: ~Copyable, Sendable {
  private let body: LockedBuffer
  private var offset = 0

  /// Starts at the first byte.
  package init(_ body: consuming LockedBuffer) {
    self.body = body
  }

  private var leftCount: Int { body.count - offset }

  /// Whether everything was read.
  package var isAtEnd: Bool { leftCount == 0 }

  /// Moves on by `count` bytes and lends them.
  private mutating func take<Result>(
    _ count: Int,
    _ read: (Span<UInt8>) throws(MalformedMessage) -> Result
  ) throws(MalformedMessage) -> Result {
    guard count <= leftCount else { throw MalformedMessage() }
    let range = offset..<offset + count
    offset += count
    return try body.withBytes { bytes throws(MalformedMessage) in
      try read(bytes.extracting(range))
    }
  }

  /// Reads an integer in big-endian order.
  package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
    as type: Value.Type = Value.self
  ) throws(MalformedMessage) -> Value {
    try take(Value.bitWidth / 8) { bytes in
      var value: UInt64 = 0
      for index in bytes.indices { value = value << 8 | UInt64(bytes[index]) }
      return Value(truncatingIfNeeded: value)
    }
  }

  /// Reads one byte that is 0 or 1.
  package mutating func flag() throws(MalformedMessage) -> Bool {
    switch try integer(as: UInt8.self) {
    case 0: false
    case 1: true
    default: throw MalformedMessage()
    }
  }

  private mutating func length() throws(MalformedMessage) -> Int {
    Int(try integer(as: UInt32.self))
  }

  /// Reads a 32-bit length and bytes.
  package mutating func bytes() throws(MalformedMessage) -> [UInt8] {
    try take(length()) { bytes in bytes.indices.map { bytes[$0] } }
  }

  /// Reads a 32-bit length and UTF-8.
  package mutating func text() throws(MalformedMessage) -> String {
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw MalformedMessage()
    }
    return text
  }

  /// Reads whether there is a value, and the value where there is one.
  package mutating func optional<Value>(
    _ read: (inout MessageReader) throws(MalformedMessage) -> Value
  ) throws(MalformedMessage) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// Reads an item without its secret.
  package mutating func item() throws(MalformedMessage) -> SecretItem {
    var offset = offset
    let item = body.withBytes { bytes in SecretItem(transfer: bytes, at: &offset) }
    guard let item else { throw MalformedMessage() }
    self.offset = offset
    return item
  }

  /// Reads what names an item.
  package mutating func identity() throws(MalformedMessage) -> ItemIdentity {
    try item().identity
  }

  /// Reads a 32-bit length and a secret, into locked memory of its own.
  package mutating func secret() throws(MalformedMessage) -> SecretBytes {
    try take(length()) { bytes throws(MalformedMessage) in
      do {
        return try SecretBytes(count: bytes.count) { copy in
          for index in bytes.indices { copy[index] = bytes[index] }
        }
      } catch {
        throw MalformedMessage(lacksMemory: true)
      }
    }
  }

  /// Ends the reading with a secret that takes the rest; nothing is copied.
  package consuming func secretToEnd() -> SecretBytes {
    let range = offset..<body.count
    return SecretBytes(body, range: range)
  }

  /// Ends the reading.
  ///
  /// - Throws: ``MalformedMessage`` where bytes are left.
  package consuming func finish() throws(MalformedMessage) {
    guard leftCount == 0 else { throw MalformedMessage() }
  }
}
