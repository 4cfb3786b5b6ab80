import COpenSSL

/// SHA-512 (FIPS 180-4).
package enum SHA512 {
  /// The size of a digest, in bytes.
  package static let byteCount = 64

  /// Hashes the parts, one after the other.
  ///
  /// - Throws: ``CryptoError/unavailable`` when libcrypto cannot.
  package static func hash(
    _ first: Span<UInt8>,
    _ second: Span<UInt8>
  ) throws(CryptoError) -> InlineArray<64, UInt8> {
    guard let algorithm = unsafe Algorithms.sha512, let context = unsafe EVP_MD_CTX_new()
    else { throw .unavailable }
    defer { unsafe EVP_MD_CTX_free(context) }
    var digest = InlineArray<64, UInt8>(repeating: 0)
    var output = digest.mutableSpan
    let isDone = unsafe first.withUnsafeBufferPointer { first in
      unsafe second.withUnsafeBufferPointer { second in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe EVP_DigestInit_ex(context, algorithm, nil) == 1
            && EVP_DigestUpdate(context, first.baseAddress, first.count) == 1
            && EVP_DigestUpdate(context, second.baseAddress, second.count) == 1
            && EVP_DigestFinal_ex(context, output.baseAddress, nil) == 1
        }
      }
    }
    guard isDone else {
      ERR_clear_error()
      throw .unavailable
    }
    return digest
  }

  /// The first bytes of the digest of a label's tag and `bytes`.
  package static func check<let count: Int>(
    _ label: Label,
    _ bytes: Span<UInt8>
  ) throws(CryptoError) -> InlineArray<count, UInt8> {
    let tag = label.tag
    let digest = try hash(tag.span, bytes)
    return InlineArray { $0 < digest.count ? digest[$0] : 0 }
  }
}
