import COpenSSL

/// scrypt (RFC 7914) with the caller's parameters.
package enum Scrypt {
  /// Derives `output.count` bytes from a passphrase.
  ///
  /// libcrypto allocates 128·N·r bytes and wipes them. Its own default ceiling differs between entry
  /// points, so the exact need is always passed; the caller has checked the parameters before.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for parameters outside of scrypt's domain, or `unavailable`
  ///   when libcrypto refuses or has no memory.
  package static func derive(
    _ passphrase: Span<UInt8>,
    salt: Span<UInt8>,
    n: UInt64,
    r: UInt32,
    p: UInt32,
    into output: inout MutableSpan<UInt8>
  ) throws(CryptoError) {
    let parallel = UInt64(p) * UInt64(r)
    let need = n.multipliedReportingOverflow(by: 128 * UInt64(r))
    // RFC 7914, section 6, bounds the product of p and r.
    guard parallel < 1 << 30, !need.overflow, need.partialValue < 1 << 62
    else { throw .invalidLength }
    let maximumMemory = need.partialValue + 128 * parallel + 2 * 1024 * 1024
    guard let algorithm = unsafe Algorithms.scrypt, let context = unsafe EVP_KDF_CTX_new(algorithm)
    else { throw .unavailable }
    defer { unsafe EVP_KDF_CTX_free(context) }
    let isDone = unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe passphrase.withUnsafeBufferPointer { passphrase in
        unsafe salt.withUnsafeBufferPointer { salt in
          let empty: UInt8 = 0
          return unsafe withUnsafePointer(to: empty) { empty in
            unsafe secretvault_scrypt(
              context,
              passphrase.baseAddress ?? empty,
              passphrase.count,
              salt.baseAddress ?? empty,
              salt.count,
              n,
              r,
              p,
              maximumMemory,
              output.baseAddress,
              output.count
            ) == 1
          }
        }
      }
    }
    guard isDone else {
      ERR_clear_error()
      throw .unavailable
    }
  }
}
