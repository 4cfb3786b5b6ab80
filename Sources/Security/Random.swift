// The functions have Apple's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A source of random bytes.
public final class SecRandomRef: Sendable {
  private init() {}
}

/// The system's source, which is the only one.
public let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with random bytes of the system's secure source, `getrandom(2)`.
///
/// - Parameters:
///   - source: ``kSecRandomDefault``.
///   - count: How many bytes; 0 is fine.
///   - bytes: Where they go.
/// - Returns: ``errSecSuccess``, or ``errSecParam`` where the count is negative.
@discardableResult
public func SecRandomCopyBytes(
  _ source: SecRandomRef?,
  _ count: Int,
  _ bytes: UnsafeMutableRawPointer
) -> Int32 {
  guard count >= 0 else { return errSecParam }
  let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
  var generator = SystemRandomNumberGenerator()
  // Eight bytes a call of the system.
  for start in stride(from: 0, to: count, by: 8) {
    let word: UInt64 = generator.next()
    for index in start..<min(start + 8, count) {
      unsafe target[index] = UInt8(truncatingIfNeeded: word >> UInt64((index - start) * 8))
    }
  }
  return errSecSuccess
}
