import SecretVault

/// Other forms of a secret, made piece by piece in locked memory and written from there.
extension Output {
  /// The bytes of a piece: divisible by three, so that base64 is padded at the end only.
  private static let pieceCount = 3 * 1024

  /// Writes the secret with every byte in its escaped form.
  func write(_ secret: SecretBytes, escaping: ByteEscaping) throws {
    try writePieces(of: secret) { bytes in
      var count = 0
      for index in bytes.indices { escaping.forEachByte(of: bytes[index]) { _ in count += 1 } }
      return try SecretBytes(count: count) { target in
        var writer = PieceWriter()
        for index in bytes.indices {
          escaping.forEachByte(of: bytes[index]) { byte in writer.append(byte, to: &target) }
        }
      }
    }
  }

  /// Writes the secret in base64 (RFC 4648, section 4).
  func writeBase64(_ secret: SecretBytes) throws {
    try writePieces(of: secret) { bytes in
      try SecretBytes(count: Base64.encodedCount(bytes.count)) { target in
        var writer = PieceWriter()
        Base64.forEachDigit(of: bytes) { digit in writer.append(digit, to: &target) }
      }
    }
  }

  private func writePieces(
    of secret: SecretBytes,
    _ encode: (Span<UInt8>) throws -> SecretBytes
  ) throws {
    try secret.withBytes { bytes in
      var start = 0
      while start < bytes.count {
        let end = min(start + Self.pieceCount, bytes.count)
        try write(try encode(bytes.extracting(start..<end)))
        start = end
      }
    }
  }
}

/// The place in a piece where the next byte goes.
private struct PieceWriter {
  private var position = 0

  mutating func append(_ byte: UInt8, to target: inout MutableSpan<UInt8>) {
    target[position] = byte
    position += 1
  }
}
