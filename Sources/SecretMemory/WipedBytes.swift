import COpenSSL

/// Bytes on the ordinary heap that never change and are wiped when the last owner goes.
///
/// They hold what is private but not worth locked memory, such as an item's attributes.
///
/// `@unchecked Sendable` holds because the bytes are written once, before `init` returns.
@safe
package final class WipedBytes: @unchecked Sendable {
  private let base: UnsafeMutablePointer<UInt8>

  /// How many bytes there are.
  package let count: Int

  /// Copies bytes.
  package init(copying bytes: Span<UInt8>) {
    count = bytes.count
    unsafe base = .allocate(capacity: max(1, bytes.count))
    unsafe bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe base.initialize(from: start, count: source.count)
    }
  }

  deinit {
    unsafe OPENSSL_cleanse(base, count)
    unsafe base.deallocate()
  }

  /// Lends the bytes for the length of a call.
  package func withBytes<Result: ~Copyable, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(Span(_unsafeStart: UnsafePointer(base), count: count))
  }
}
