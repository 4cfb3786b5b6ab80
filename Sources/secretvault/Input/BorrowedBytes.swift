import SecretVault

// Small questions about borrowed bytes, which no array ever holds.

extension Span<UInt8> {
  /// The place of the first such byte in a range.
  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    firstIndex(in: range) { $0 == byte }
  }

  /// The place of the first byte in a range of which something is true.
  func firstIndex(in range: Range<Int>, where isMatch: (UInt8) -> Bool) -> Int? {
    range.clamped(to: indices).first { isMatch(self[$0]) }
  }

  /// Whether these are the bytes of a text.
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && zip(indices, text.description.utf8).allSatisfy { self[$0] == $1 }
  }

  /// The bytes in an array; not for a secret.
  var array: [UInt8] { indices.map { self[$0] } }
}

extension SecretBytes {
  /// Copies borrowed bytes into locked memory of their own.
  ///
  /// - Throws: An error where no locked memory is left.
  init(_ bytes: Span<UInt8>) throws {
    try self.init(count: bytes.count) { target in
      for index in bytes.indices { target[index] = bytes[index] }
    }
  }
}
