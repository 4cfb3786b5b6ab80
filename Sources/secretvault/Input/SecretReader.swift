import SecretVault

/// Reads a whole input into locked memory, without a stop in an array or a string.
enum SecretReader {
  /// The most that a secret may have, in bytes.
  static let secretLimit = 1 << 20
  /// The most that is read for a passphrase, a key line or a code, in bytes.
  static let credentialLimit = 4096

  private static let firstChunk = 4096

  /// Reads to the end; beyond `limit` bytes it is a failure, and nothing is kept.
  ///
  /// - Throws: A failure: unreadable, too long, or no locked memory left.
  static func read(
    _ descriptor: Descriptor,
    limit: Int,
    name: String
  ) throws -> SecretBytes {
    var chunks: [SecretBytes] = []
    var total = 0
    var size = firstChunk
    while true {
      let chunk = try readChunk(descriptor, count: size, name: name)
      chunks.append(chunk)
      total += chunk.count
      if total > limit { throw Failure.limitExceeded }
      if chunk.count < size { break }
      size = min(size * 2, limit + 1 - total)
    }
    if chunks.count == 1, let only = chunks.first { return only }
    return try joined(chunks, count: total)
  }

  /// Reads an ordinary file, or a pipe: it is the user's own, and its mode is not judged.
  ///
  /// - Throws: A failure that names the file: unreadable, too long, or no locked memory left.
  static func read(file path: String, limit: Int) throws -> SecretBytes {
    let name = TextEscaping.escaped(path)
    return try Descriptor.reading(path) { descriptor in
      try read(descriptor, limit: limit, name: name)
    }
  }

  /// Reads until the chunk is full or the input ends.
  private static func readChunk(
    _ descriptor: Descriptor,
    count: Int,
    name: String
  ) throws -> SecretBytes {
    var filled = 0
    var failure: Failure?
    let chunk = try SecretBytes(count: count) { buffer in
      do throws(Failure) {
        while filled < count {
          let read = try descriptor.read(into: &buffer, at: filled..<count, name: name)
          if read == 0 { break }
          filled += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return filled == count ? chunk : try chunk.prefix(filled)
  }

  private static func joined(_ chunks: [SecretBytes], count: Int) throws -> SecretBytes {
    try SecretBytes(count: count) { target in
      var position = 0
      for chunk in chunks {
        chunk.withBytes { bytes in
          for index in bytes.indices {
            target[position] = bytes[index]
            position += 1
          }
        }
      }
    }
  }
}

extension SecretBytes {
  /// The first bytes, in locked memory of their own.
  ///
  /// - Throws: An error where no locked memory is left.
  func prefix(_ count: Int) throws -> SecretBytes {
    try SecretBytes(count: count) { target in
      withBytes { bytes in
        for index in 0..<min(count, bytes.count) { target[index] = bytes[index] }
      }
    }
  }

  /// The same without one newline at the end, if there is one.
  ///
  /// - Throws: An error where no locked memory is left.
  func droppingTrailingNewline() throws -> SecretBytes {
    let endsWithNewline = withBytes { bytes in
      bytes.count > 0 && bytes[bytes.count - 1] == UInt8(ascii: "\n")
    }
    return endsWithNewline ? try prefix(count - 1) : self
  }
}
