import COpenSSL

/// AES-256-GCM with a 96-bit nonce and a 128-bit tag (NIST SP 800-38D), over one reused context.
///
/// Opening takes the tag together with the ciphertext, so that no caller can forget it. One thread at a
/// time may use an instance; the context holds the key of the last message until ``forgetKey()``.
@safe
package final class GCM {
  /// The size of a key, in bytes.
  package static let keyByteCount = 32
  /// The size of a nonce, in bytes.
  package static let nonceByteCount = 12
  /// The size of a tag, in bytes.
  package static let tagByteCount = 16

  private let context: OpaquePointer
  /// Whether the context knows its cipher; naming it again would make libcrypto start from nothing.
  private var hasCipher = false

  /// Makes a context.
  ///
  /// - Throws: ``CryptoError/unavailable`` when libcrypto lacks the cipher.
  package init() throws(CryptoError) {
    guard unsafe Algorithms.aes256GCM != nil, let context = unsafe EVP_CIPHER_CTX_new()
    else { throw .unavailable }
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(context)
  }

  /// Wipes the key of the last message.
  package func forgetKey() {
    unsafe EVP_CIPHER_CTX_reset(context)
    hasCipher = false
  }

  /// Encrypts `plaintext` and writes ciphertext and tag at `offset` of `output`.
  ///
  /// - Throws: ``CryptoError/invalidLength`` when a length does not fit, or `unavailable`.
  package func seal(
    _ plaintext: Span<UInt8>,
    key: Span<UInt8>,
    nonce: Span<UInt8>,
    associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>,
    at offset: Int
  ) throws(CryptoError) {
    guard key.count == Self.keyByteCount, nonce.count == Self.nonceByteCount,
      let count = Int32(exactly: plaintext.count), offset >= 0,
      output.count - offset >= plaintext.count + Self.tagByteCount
    else { throw .invalidLength }
    let isDone = unsafe output.withUnsafeMutableBufferPointer { output in
      guard let target = unsafe output.baseAddress.map({ unsafe $0 + offset }) else { return false }
      return unsafe plaintext.withUnsafeBufferPointer { plaintext in
        var written: Int32 = 0
        return unsafe start(EVP_EncryptInit_ex, key, nonce)
          && authenticate(EVP_EncryptUpdate, associatedData)
          && (plaintext.isEmpty
            || EVP_EncryptUpdate(context, target, &written, plaintext.baseAddress, count) == 1)
          && EVP_EncryptFinal_ex(context, target + Int(count), &written) == 1
          && EVP_CIPHER_CTX_ctrl(
            context,
            EVP_CTRL_AEAD_GET_TAG,
            Int32(Self.tagByteCount),
            target + Int(count)
          ) == 1
      }
    }
    guard isDone else { throw failure(.unavailable) }
  }

  /// Decrypts ciphertext and tag and writes the plaintext at `offset` of `output`.
  ///
  /// libcrypto writes plaintext before it has checked the tag, so on any failure the bytes of `output`
  /// that may hold it are wiped.
  ///
  /// - Throws: ``CryptoError/authenticationFailed``, or `invalidLength`, or `unavailable`.
  package func open(
    _ sealed: Span<UInt8>,
    key: Span<UInt8>,
    nonce: Span<UInt8>,
    associatedData: Span<UInt8>,
    into output: inout MutableSpan<UInt8>,
    at offset: Int
  ) throws(CryptoError) {
    let byteCount = sealed.count - Self.tagByteCount
    guard key.count == Self.keyByteCount, nonce.count == Self.nonceByteCount, byteCount >= 0,
      let count = Int32(exactly: byteCount), offset >= 0, output.count - offset >= byteCount
    else { throw .invalidLength }
    guard unsafe start(EVP_DecryptInit_ex, key, nonce) else { throw failure(.unavailable) }
    let isAuthentic = unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe sealed.withUnsafeBufferPointer { sealed in
        guard let source = sealed.baseAddress else { return false }
        let target = unsafe output.baseAddress.map { unsafe $0 + offset }
        var written: Int32 = 0
        let isAuthentic =
          unsafe secretvault_set_gcm_tag(context, source + byteCount, Int32(Self.tagByteCount)) == 1
          && authenticate(EVP_DecryptUpdate, associatedData)
          && (count == 0 || EVP_DecryptUpdate(context, target, &written, source, count) == 1)
          && EVP_DecryptFinal_ex(context, target, &written) == 1
        if !isAuthentic, byteCount > 0 { unsafe OPENSSL_cleanse(target, byteCount) }
        return isAuthentic
      }
    }
    guard isAuthentic else { throw failure(.authenticationFailed) }
  }

  private typealias Start = (
    OpaquePointer?, OpaquePointer?, OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?
  ) -> Int32
  private typealias Update = (
    OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int32>?,
    UnsafePointer<UInt8>?, Int32
  ) -> Int32

  private func start(_ initialize: Start, _ key: Span<UInt8>, _ nonce: Span<UInt8>) -> Bool {
    let isStarted = unsafe key.withUnsafeBufferPointer { key in
      unsafe nonce.withUnsafeBufferPointer { nonce in
        unsafe initialize(
          context,
          hasCipher ? nil : Algorithms.aes256GCM,
          nil,
          key.baseAddress,
          nonce.baseAddress
        ) == 1
      }
    }
    if isStarted { hasCipher = true }
    return isStarted
  }

  private func authenticate(_ update: Update, _ associatedData: Span<UInt8>) -> Bool {
    guard !associatedData.isEmpty else { return true }
    guard let count = Int32(exactly: associatedData.count) else { return false }
    return unsafe associatedData.withUnsafeBufferPointer { bytes in
      var written: Int32 = 0
      return unsafe update(context, nil, &written, bytes.baseAddress, count) == 1
    }
  }

  private func failure(_ error: CryptoError) -> CryptoError {
    ERR_clear_error()
    return error
  }
}
