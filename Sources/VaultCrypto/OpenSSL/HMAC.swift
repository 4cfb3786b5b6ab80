import COpenSSL

/// A keyed HMAC whose context is reused from one message to the next (RFC 2104).
///
/// The context holds key schedules on the ordinary heap and is as good as the key: whoever keeps one
/// must let it go at a lock. libcrypto wipes it when it is freed. One thread at a time may use it.
@safe
package final class HMAC {
  /// The hash function under the HMAC.
  package enum Hash: String, Sendable {
    case sha256 = "SHA256"
    case sha512 = "SHA512"

    /// The size of a result, in bytes.
    package var byteCount: Int { self == .sha256 ? 32 : 64 }
  }

  /// The hash function in use.
  package let hash: Hash

  private let context: OpaquePointer

  /// Keys a context.
  ///
  /// - Throws: ``CryptoError/unavailable`` when libcrypto cannot.
  package init(_ hash: Hash = .sha512, key: Span<UInt8>) throws(CryptoError) {
    self.hash = hash
    guard let algorithm = unsafe Algorithms.hmac, let context = unsafe EVP_MAC_CTX_new(algorithm)
    else { throw .unavailable }
    unsafe self.context = context
    // An empty key is a valid key, but a null pointer would mean "keep the key you have".
    let isKeyed = unsafe key.withUnsafeBufferPointer { key in
      let empty: UInt8 = 0
      return unsafe withUnsafePointer(to: empty) { empty in
        unsafe secretvault_mac_set_digest(context, hash.rawValue) == 1
          && EVP_MAC_init(context, key.baseAddress ?? empty, key.count, nil) == 1
      }
    }
    guard isKeyed else {
      ERR_clear_error()
      throw .unavailable
    }
  }

  deinit {
    unsafe EVP_MAC_CTX_free(context)
  }

  /// Starts a new message under the same key.
  package func begin() throws(CryptoError) {
    guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1 else { throw failure() }
  }

  /// Feeds bytes of the message.
  package func update(_ bytes: Span<UInt8>) throws(CryptoError) {
    let isFed = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe bytes.isEmpty || EVP_MAC_update(context, bytes.baseAddress, bytes.count) == 1
    }
    guard isFed else { throw failure() }
  }

  /// Feeds a byte of the message.
  package func update(_ value: UInt8) throws(CryptoError) {
    try update(bigEndian: UInt64(value), byteCount: 1)
  }

  /// Feeds an integer of the message, big-endian.
  package func update(_ value: UInt16) throws(CryptoError) {
    try update(bigEndian: UInt64(value), byteCount: 2)
  }

  /// Feeds an integer of the message, big-endian.
  package func update(_ value: UInt32) throws(CryptoError) {
    try update(bigEndian: UInt64(value), byteCount: 4)
  }

  /// Feeds an integer of the message, big-endian.
  package func update(_ value: UInt64) throws(CryptoError) {
    try update(bigEndian: value, byteCount: 8)
  }

  private func update(bigEndian value: UInt64, byteCount: Int) throws(CryptoError) {
    let shifted = (value << UInt64(64 - 8 * byteCount)).bigEndian
    let isFed = unsafe withUnsafeBytes(of: shifted) { bytes in
      unsafe EVP_MAC_update(
        context,
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        byteCount
      ) == 1
    }
    guard isFed else { throw failure() }
  }

  /// Ends the message and writes its authentication code, whole, at `offset` of `output`.
  package func finish(
    into output: inout MutableSpan<UInt8>,
    at offset: Int = 0
  ) throws(CryptoError) {
    guard offset >= 0, output.count - offset >= hash.byteCount else { throw .invalidLength }
    var written = 0
    let isDone = unsafe output.withUnsafeMutableBufferPointer { output in
      guard let target = output.baseAddress else { return false }
      return unsafe EVP_MAC_final(context, target + offset, &written, hash.byteCount) == 1
    }
    guard isDone, written == hash.byteCount else { throw failure() }
  }

  private func failure() -> CryptoError {
    ERR_clear_error()
    return .unavailable
  }
}
