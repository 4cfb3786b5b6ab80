import COpenSSL

/// SHA-256 (FIPS 180-4), for names that are not secret.
package enum SHA256 {
  /// Hashes bytes.
  ///
  /// - Throws: ``CryptoError/unavailable`` when libcrypto cannot.
  package static func hash(_ bytes: Span<UInt8>) throws(CryptoError) -> InlineArray<32, UInt8> {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var output = digest.mutableSpan
    let isDone = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe EVP_Digest(
          bytes.baseAddress,
          bytes.count,
          output.baseAddress,
          nil,
          EVP_sha256(),
          nil
        ) == 1
      }
    }
    guard isDone else {
      ERR_clear_error()
      throw .unavailable
    }
    return digest
  }
}
