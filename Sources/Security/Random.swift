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
  for index in target.indices {
    unsafe target[index] = generator.next()
  }
  return errSecSuccess
}
