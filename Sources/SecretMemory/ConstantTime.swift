internal import COpenSSL

/// Operations whose time does not depend on the secret bytes they touch.
package enum ConstantTime {
  /// Compares two byte sequences without an early exit.
  ///
  /// Only the lengths may be learnt from the time this takes (`CRYPTO_memcmp`).
  package static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        unsafe CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
      }
    }
  }

  /// Overwrites an array with zeros, whose only owner the caller must be.
  package static func wipe(_ array: inout [UInt8]) {
    var bytes = array.mutableSpan
    wipe(&bytes)
  }

  /// Overwrites bytes with zeros in a way that the compiler cannot leave out
  /// (`OPENSSL_cleanse`).
  ///
  /// With a `count`, only that many bytes at the start.
  package static func wipe(_ bytes: inout MutableSpan<UInt8>, prefix count: Int? = nil) {
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe OPENSSL_cleanse(buffer.baseAddress, min(count ?? buffer.count, buffer.count))
    }
  }
}
